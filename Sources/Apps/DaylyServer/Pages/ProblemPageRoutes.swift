import DaylyAPI
import HTTPKit
import Hummingbird

/// `GET /problems/{code}`: the page behind a problem's `type`, for authors of clients.
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
    /// The meaning, and what a client does about it.
    var explanation: String {
        switch self {
        case .invalidRequest:
            "A part of the request is missing, of the wrong type or out of range. `errors` lists the places and the "
                + "reasons."
        case .unauthorized: "The call needs a valid access token. Refresh it or sign in again."
        case .notFound: "The resource does not exist, or the caller may not see it."
        case .methodNotAllowed:
            "The resource does not support this method; `Allow` lists the methods that it supports."
        case .bodyTooLarge: "The body is larger than this call allows."
        case .rateLimited: "The caller sent too many of these requests. `Retry-After` says when to try again."
        case .internalError: "An error occurred on our side. Trying again later may help."
        case .unavailable: "A part of the service is down. `Retry-After` says when to try again."
        case .overloaded: "The service is overloaded. `Retry-After` says when to try again."
        case .invalidPhoneNumber:
            "This is not a valid phone number. A phone number starts with + and the country's calling code."
        case .verificationFailed:
            "The code is wrong, used or expired. `attempts_remaining` says how many tries are left."
        case .tooManyAttempts: "The code was wrong too many times. Request a new one."
        case .invalidRefreshToken: "The refresh token is unknown, used up or expired. Sign in again."
        case .timeZoneChangedRecently:
            "The time zone may change once a day; `retry_at` says when it may change again."
        case .groupLimitReached: "The caller is already in the maximum number of groups."
        case .groupFull: "The group already has the maximum number of members."
        case .removalLimitReached: "The caller has already removed the maximum number of members for one day."
        case .inviteLimitReached: "The group already has the maximum number of open invitations."
        case .inviteNotFound: "The code is unknown, used, revoked, expired or for another phone number."
        case .alreadySentToday:
            "The caller has already sent a photo to this group today; `next_send_at` says when they may send the next."
        case .uploadInProgress: "Another upload for this day is in progress. Try again after `Retry-After`."
        case .photoGone: "The photo of this upload has expired or was deleted."
        case .uploadTooLarge: "The file of the picture is too large."
        case .unsupportedMediaType: "The file is not in a supported picture format."
        case .unreadableImage: "The picture is damaged or incomplete."
        case .imageTooLarge: "The picture has too many pixels, sides that are too long, or too many scans."
        case .idempotencyKeyReused: "The idempotency key was already used for another request."
        case .storageUnavailable:
            "The photo could not be stored. It does not count as today's photo; try again."
        case .cursorExpired: "The cursor is too old. Fetch the whole feed again."
        case .focusNotJoined:
            "The caller has no profile of Focus. `PUT /v1/focus/profile` makes one, after the user's consent."
        case .nicknameTaken: "Somebody else has this nickname, in some spelling of upper and lower case."
        case .deviceLimitReached: "The caller has already registered the maximum number of devices."
        case .dayClosed: "The day is over for too long to be rated."
        case .followLimitReached: "The caller already follows the maximum number of people."
        case .sessionActive: "Another session is running, or has run at that time."
        case .scheduleAlreadyStarted: "The schedule has already started its session of this date."
        case .proRequired: "The call needs Focus Pro."
        case .beastMode: "A session in beast mode cannot end before its goal; `ends_at` says when that is."
        case .scheduleLimitReached: "The caller already has the maximum number of schedules."
        case .scheduleOverlap: "The schedule overlaps another one of the caller."
        case .intentionLimitReached: "The caller already has the maximum number of intentions."
        case .freezeUnavailable: "The caller has already taken this week's freeze."
        case .partnerLimitReached: "The caller already has the maximum number of partners and requests."
        case .invalidReceipt: "The signed transaction of the store is not valid for this account."
        case .purchaseClaimed: "The purchase already counts for an account."
        case .companionNotJoined:
            "The caller has no part in Companion. `PUT /v1/companion/settings` joins, after the user's consent."
        case .petExists: "The caller already has a pet, alive or dead."
        case .wrongPetState: "The pet's health does not allow the call."
        case .notEnoughEnergy: "The caller's energy does not pay the price."
        case .notEnoughGems: "The caller's gems do not pay the price."
        case .recoveryUnavailable:
            "The caller has recovered a pet too recently or too often; `retry_at` says when they may again."
        case .notOwned: "The caller does not own all of these cosmetics."
        case .alreadyOwned: "The caller already owns this cosmetic."
        case .outOfSeason: "The cosmetic is not sold now."
        }
    }
}
