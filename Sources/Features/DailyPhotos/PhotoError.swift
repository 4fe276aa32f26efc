import Foundation

/// Why a photo could not be sent or shown.
package enum PhotoError: Error, Equatable {
    /// There is no such photo or group for the caller.
    case notFound
    /// The sender's local day is used up.
    case alreadySentToday(nextSendAt: Date)
    /// Another upload for this day is under way.
    case uploadInProgress(retryAfter: Duration)
    /// The idempotency key's photo has expired or was deleted.
    case photoGone
    /// The idempotency key came with other bytes before.
    case idempotencyKeyReused
    case uploadTooLarge(maxBytes: Int)
    /// Not a picture format that is read here.
    case unsupportedMediaType
    case unreadableImage
    /// Too many pixels, too long a side, or too many scans.
    case imageTooLarge
    /// The object store cannot take the photo now. The day is not used up.
    case storageUnavailable
    /// The lease ran out before the photo was stored. The day is not used up.
    case attemptLost
    /// The database's clock is too far from the object store's to say which day it is. The day is not used up.
    case clocksDisagree
    /// No decoder is free.
    case overloaded
    /// No decoder can be started. The day is not used up.
    case decoderUnavailable
    /// The cursor is older than what is remembered.
    case cursorExpired
    /// The upload ticket is not for this upload, or is over.
    case invalidTicket
}
