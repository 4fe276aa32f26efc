/// The kind of a problem, stable over versions. Clients switch on it (`code` of an `application/problem+json`, and the
/// last part of its `type`).
public enum ProblemCode: String, Codable, Sendable, CaseIterable {
    // Any call.
    case invalidRequest = "invalid_request"
    case unauthorized
    case notFound = "not_found"
    case methodNotAllowed = "method_not_allowed"
    case bodyTooLarge = "body_too_large"
    case rateLimited = "rate_limited"
    case internalError = "internal_error"
    case unavailable
    case overloaded

    // Signing in.
    case invalidPhoneNumber = "invalid_phone_number"
    case verificationFailed = "verification_failed"
    case tooManyAttempts = "too_many_attempts"
    case invalidRefreshToken = "invalid_refresh_token"
    case timeZoneChangedRecently = "time_zone_changed_recently"

    // Groups and invitations.
    case groupLimitReached = "group_limit_reached"
    case groupFull = "group_full"
    case removalLimitReached = "removal_limit_reached"
    case inviteLimitReached = "invite_limit_reached"
    case inviteNotFound = "invite_not_found"

    // Photos.
    case alreadySentToday = "already_sent_today"
    case uploadInProgress = "upload_in_progress"
    case photoGone = "photo_gone"
    case uploadTooLarge = "upload_too_large"
    case unsupportedMediaType = "unsupported_media_type"
    case unreadableImage = "unreadable_image"
    case imageTooLarge = "image_too_large"
    case idempotencyKeyReused = "idempotency_key_reused"
    case storageUnavailable = "storage_unavailable"
    case cursorExpired = "cursor_expired"

    // Focus.
    case focusNotJoined = "focus_not_joined"
    case nicknameTaken = "nickname_taken"
    case deviceLimitReached = "device_limit_reached"
    case dayClosed = "day_closed"
    case followLimitReached = "follow_limit_reached"
    case sessionActive = "session_active"
    case scheduleAlreadyStarted = "schedule_already_started"
    case proRequired = "pro_required"
    case beastMode = "beast_mode"
    case scheduleLimitReached = "schedule_limit_reached"
    case scheduleOverlap = "schedule_overlap"
    case intentionLimitReached = "intention_limit_reached"
    case freezeUnavailable = "freeze_unavailable"
    case partnerLimitReached = "partner_limit_reached"
    case invalidReceipt = "invalid_receipt"
    case purchaseClaimed = "purchase_claimed"

    // Companion.
    case companionNotJoined = "companion_not_joined"
    case petExists = "pet_exists"
    case wrongPetState = "wrong_pet_state"
    case notEnoughEnergy = "not_enough_energy"
    case notEnoughGems = "not_enough_gems"
    case recoveryUnavailable = "recovery_unavailable"
    case notOwned = "not_owned"
    case alreadyOwned = "already_owned"
    case outOfSeason = "out_of_season"
}
