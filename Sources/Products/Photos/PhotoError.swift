import Foundation

/// Why a photo could not be sent or shown.
enum PhotoError: Error, Equatable {
    /// There is no such photo or group for the caller.
    case notFound
    /// The sender has already sent a photo to this group on their local day.
    case alreadySentToday(nextSendAt: Date)
    /// Another upload of the sender for this group and day is in progress.
    case uploadInProgress(retryAfter: Duration)
    /// The idempotency key's photo has expired or was deleted.
    case photoGone
    /// An earlier upload had the same idempotency key and other bytes.
    case idempotencyKeyReused
    case uploadTooLarge(maxBytes: Int)
    /// The service does not read this picture format.
    case unsupportedMediaType
    case unreadableImage
    /// The picture has too many pixels, a side that is too long, or too many scans.
    case imageTooLarge
    /// The object store does not accept the photo now. The day stays free.
    case storageUnavailable
    /// The lease expired before the photo was stored. The day stays free.
    case attemptLost
    /// The clocks of the database and the object store differ too much to decide which day it is. The day stays free.
    case clocksDisagree
    /// All decoders are busy.
    case overloaded
    /// A decoder cannot be started. The day stays free.
    case decoderUnavailable
    /// The group's log does not reach back to the cursor, or the cursor is invalid.
    case cursorExpired
    /// The upload ticket is for another upload, or it has expired.
    case invalidTicket
}
