import DaylyAPI
import HTTPKit

extension Problem {
    /// The problems of any call and those of several features: their meanings, and what a client does about them.
    package static let problems: [ProblemCode: String] = [
        .invalidRequest:
            "A part of the request is missing, of the wrong type or out of range. `errors` lists the places and the "
            + "reasons.",
        .unauthorized: "The call needs a valid access token. Refresh it or sign in again.",
        .notFound: "The resource does not exist, or the caller may not see it.",
        .methodNotAllowed:
            "The resource does not support this method; `Allow` lists the methods that it supports.",
        .bodyTooLarge: "The body is larger than this call allows.",
        .rateLimited: "The caller sent too many of these requests. `Retry-After` says when to try again.",
        .internalError: "An error occurred on our side. Trying again later may help.",
        .unavailable: "A part of the service is down. `Retry-After` says when to try again.",
        .overloaded: "The service is overloaded. `Retry-After` says when to try again.",
        .unsupportedMediaType: "The file is not in a supported picture format.",
        .idempotencyKeyReused: "The idempotency key was already used for another request.",
        .cursorExpired: "The cursor is too old. Fetch the whole feed again.",
        .deviceLimitReached: "The caller has already registered the maximum number of devices.",
        .invalidReceipt: "The signed transaction of the store is not valid for this account.",
        .purchaseClaimed: "The purchase already counts for an account.",
    ]
}
