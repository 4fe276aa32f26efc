import DaylyAPI
import HTTPKit
import Hummingbird

/// `GET /problems/{code}`: where a problem's `type` leads, for whoever writes a client.
struct ProblemPageRoutes: Sendable {
    func addRoutes(to router: some RouterMethods<AppContext>) {
        router.get("/problems/:code") { _, context in
            guard let code = ProblemCode(rawValue: try context.requireParameter("code")) else {
                throw Problem.notFound
            }
            return Page(
                title: code.title,
                body: "<h1>\(Page.escaped(code.title))</h1>\n<p><code>\(code.rawValue)</code></p>\n"
                    + "<p>\(Page.escaped(code.explanation))</p>")
        }
    }
}

extension ProblemCode {
    /// What it means and what a client does about it.
    var explanation: String {
        switch self {
        case .invalidRequest:
            "The request is missing something, or something in it is of the wrong kind or out of range. `errors` says "
                + "where and what."
        case .unauthorized: "The call needs a valid access token. Refresh it or sign in again."
        case .notFound: "There is nothing here, or nothing that the caller may see."
        case .methodNotAllowed: "The resource does not answer this method; `Allow` says which it does."
        case .bodyTooLarge: "The body is larger than this call takes."
        case .rateLimited: "Too many of these in a while. `Retry-After` says when to try again."
        case .internalError: "Something went wrong on our side. Trying again later may help."
        case .unavailable: "Something the service depends on is down. `Retry-After` says when to try again."
        case .overloaded: "The service has too much to do. `Retry-After` says when to try again."
        case .invalidPhoneNumber:
            "The phone number is not one: it starts with + and the country's calling code."
        case .verificationFailed:
            "The code is wrong, used or expired. `attempts_remaining` says how many tries are left."
        case .tooManyAttempts: "The code was wrong too often. Ask for a new one."
        case .invalidRefreshToken: "The refresh token is unknown, used up or expired. Sign in again."
        case .timeZoneChangedRecently: "The time zone changes at most once a day; `retry_at` says when again."
        case .groupLimitReached: "The caller is in as many groups as one may be."
        case .groupFull: "The group has as many members as it may have."
        case .removalLimitReached: "The caller has removed as many members as one may in a day."
        case .inviteLimitReached: "The group has as many open invitations as it may have."
        case .inviteNotFound: "The code is unknown, used, revoked, expired or somebody else's."
        case .alreadySentToday:
            "The group has had today's photo of the caller; `next_send_at` says when next."
        case .uploadInProgress: "A photo for this day is being uploaded. Try again after `Retry-After`."
        case .photoGone: "The photo of this upload has expired or was deleted."
        case .uploadTooLarge: "The picture's file is larger than it may be."
        case .unsupportedMediaType: "The file is none of the kinds of picture that are read."
        case .unreadableImage: "The picture is damaged or incomplete."
        case .imageTooLarge: "The picture has more pixels, longer sides or more scans than it may have."
        case .idempotencyKeyReused: "The upload's key was used before, for other bytes."
        case .storageUnavailable: "The photo could not be stored. The day is not used up; try again."
        case .cursorExpired: "The cursor is too old. Fetch the whole feed once."
        }
    }
}
