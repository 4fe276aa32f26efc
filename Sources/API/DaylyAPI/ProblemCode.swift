/// The kind of a problem, stable over versions. Clients switch on it (`code` of an `application/problem+json`, and the
/// last part of its `type`). Products add their own, and newer versions of the service may send others.
public struct ProblemCode: RawRepresentable, Codable, Sendable, Hashable {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    package init(_ text: String) {
        self.init(rawValue: text)
    }
}

extension ProblemCode {
    // Any call.
    public static let invalidRequest = ProblemCode("invalid_request")
    public static let unauthorized = ProblemCode("unauthorized")
    public static let notFound = ProblemCode("not_found")
    public static let methodNotAllowed = ProblemCode("method_not_allowed")
    public static let bodyTooLarge = ProblemCode("body_too_large")
    public static let rateLimited = ProblemCode("rate_limited")
    public static let internalError = ProblemCode("internal_error")
    public static let unavailable = ProblemCode("unavailable")
    public static let overloaded = ProblemCode("overloaded")

    // Signing in.
    public static let invalidPhoneNumber = ProblemCode("invalid_phone_number")
    public static let verificationFailed = ProblemCode("verification_failed")
    public static let tooManyAttempts = ProblemCode("too_many_attempts")
    public static let invalidRefreshToken = ProblemCode("invalid_refresh_token")
    public static let timeZoneChangedRecently = ProblemCode("time_zone_changed_recently")

    // Groups and invitations.
    public static let groupLimitReached = ProblemCode("group_limit_reached")
    public static let groupFull = ProblemCode("group_full")
    public static let removalLimitReached = ProblemCode("removal_limit_reached")
    public static let inviteLimitReached = ProblemCode("invite_limit_reached")
    public static let inviteNotFound = ProblemCode("invite_not_found")

    // Photos.
    public static let alreadySentToday = ProblemCode("already_sent_today")
    public static let uploadInProgress = ProblemCode("upload_in_progress")
    public static let photoGone = ProblemCode("photo_gone")
    public static let uploadTooLarge = ProblemCode("upload_too_large")
    public static let unsupportedMediaType = ProblemCode("unsupported_media_type")
    public static let unreadableImage = ProblemCode("unreadable_image")
    public static let imageTooLarge = ProblemCode("image_too_large")
    public static let idempotencyKeyReused = ProblemCode("idempotency_key_reused")
    public static let storageUnavailable = ProblemCode("storage_unavailable")
    public static let cursorExpired = ProblemCode("cursor_expired")

    // Phones and purchases of several products.
    public static let deviceLimitReached = ProblemCode("device_limit_reached")
    public static let invalidReceipt = ProblemCode("invalid_receipt")
    public static let purchaseClaimed = ProblemCode("purchase_claimed")
}
