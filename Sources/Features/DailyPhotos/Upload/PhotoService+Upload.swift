import FeatureKit
import Auth
import Foundation
import Groups
import PhotoWorkers
import Logging
import Metrics
import NIOCore
import ObjectStorage
import Postgres
import RateLimiting

/// Sending a photo.
extension PhotoService {
    /// Sends today's photo, or finds the one that its key stands for.
    ///
    /// - Parameter receive: Reads the image. Called only where nothing speaks against the upload yet.
    /// - Returns: The photo, and whether this call made it.
    /// - Throws: `PhotoError`, `GroupError.notFound`, `RateLimited`, `PostgresError`.
    func upload(
        to group: GroupID, from sender: UserID, key: String?, receive: () async throws -> ByteBuffer
    ) async throws -> (photo: VisiblePhoto, isNew: Bool) {
        let started = ContinuousClock.now
        do {
            let result = try await uploadUncounted(to: group, from: sender, key: key, receive: receive)
            count(result.isNew ? "accepted" : "repeated", since: started)
            return result
        } catch {
            count(Self.outcome(of: error), since: started)
            throw error
        }
    }

    private func uploadUncounted(
        to group: GroupID, from sender: UserID, key: String?, receive: () async throws -> ByteBuffer
    ) async throws -> (photo: VisiblePhoto, isNew: Bool) {
        let before = try await uploads.decisionBeforeDecoding(group: group, sender: sender, key: key)
        if let refusal = before.refusalBeforeReading { throw refusal }

        let bytes = try await receive()
        let digest = UploadDigest(of: bytes, group: group, sender: sender)
        guard case .open = before else { return try settle(before, digest) }

        let turn = try await turns.begin(UploadTurns.Slot(group: group, sender: sender))
        defer { turn.end() }
        if turn.hasWaited {
            let now = try await uploads.decisionBeforeDecoding(group: group, sender: sender, key: key)
            guard case .open = now else { return try settle(now, digest) }
        }
        let image = try await decode(bytes, of: sender)
        let attempt = UploadAttempt(
            groupID: group, senderID: sender, idempotencyKey: key,
            fingerprint: key == nil ? nil : fingerprints.make(digest), width: image.width,
            height: image.height, thumbHash: image.thumbHash)
        // Finish an upload that has begun, even when the client has gone.
        return try await Task { try await store(image, for: attempt, digest, turn) }.value
    }

    private func decode(_ bytes: ByteBuffer, of sender: UserID) async throws -> ProcessedImage {
        do {
            return try await images.process(bytes, for: sender.rawValue)
        } catch let error as PhotoWorkerError {
            if error.costsDecoding { try await uploads.quota.countFailure(of: sender) }
            throw PhotoError(error)
        }
    }

    /// The answer where an upload does not go on: the photo that its key stands for, or why not.
    private func settle(_ decision: UploadDecision, _ digest: UploadDigest) throws
        -> (photo: VisiblePhoto, isNew: Bool)
    {
        guard case .known(.some(let photo), let fingerprint, let readAt) = decision,
            fingerprint.map({ fingerprints.matches($0, digest) }) ?? true
        else { throw decision.refusal }
        return (VisiblePhoto(photo: photo, links: try urls.links(for: photo, now: readAt)), false)
    }

    /// Transaction A, the objects, transaction B. A failure in between gives the day back.
    ///
    /// - Parameter turn: ends as soon as the day is claimed; the row of the claim refuses the other uploads then.
    private func store(
        _ image: ProcessedImage, for attempt: UploadAttempt, _ digest: UploadDigest, _ turn: UploadTurn
    ) async throws -> (photo: VisiblePhoto, isNew: Bool) {
        let id = PhotoID(rawValue: .version7())
        let keys = try Self.objectKeys()
        let claim: UploadClaim
        switch try await uploads.claim(attempt, keys: keys, id: id) {
        case .success(let success): claim = success
        case .failure(let refusal): return try settle(refusal.decision, digest)
        }
        turn.end()
        do {
            try await put(image, under: claim)
            let accepted = try await uploads.accept(claim, of: attempt)
            let links = try urls.links(for: accepted.photo, now: accepted.readAt)
            return (VisiblePhoto(photo: accepted.photo, links: links), true)
        } catch PostgresError.commitOutcomeUnknown {
            // The photo may be live: the same key tells later.
            throw PostgresError.commitOutcomeUnknown
        } catch {
            await giveUp(claim, because: error)
            throw error
        }
    }

    private func put(_ image: ProcessedImage, under claim: UploadClaim) async throws {
        do {
            async let photo: Void = objects.put(claim.photoKey, image.photo, contentType: "image/jpeg")
            async let thumbnail: Void = objects.put(
                claim.thumbnailKey, image.thumbnail, contentType: "image/jpeg")
            _ = try await (photo, thumbnail)
        } catch {
            logger.warning("the object store did not take a photo", metadata: ["error": "\(error)"])
            throw PhotoError.storageUnavailable
        }
    }

    private func giveUp(_ claim: UploadClaim, because error: any Error) async {
        do {
            try await uploads.abandon(claim)
        } catch {
            // The lease runs out by itself, and the sweeper does the same.
            logger.warning("an upload was left to its lease", metadata: ["error": "\(error)"])
        }
    }

    /// Keys never used before, that nobody can guess and that name nobody.
    private static func objectKeys() throws(ObjectStoreError) -> (photo: ObjectKey, thumbnail: ObjectKey) {
        let name = UUID().uuidString.lowercased()
        return (try ObjectKey("photos/\(name).jpg"), try ObjectKey("photos/\(name)_thumbnail.jpg"))
    }

    /// The label in `dayly_uploads_total`.
    private static func outcome(of error: any Error) -> String {
        if error is RateLimited { return "rate_limited" }
        return (error as? PhotoError)?.outcome ?? "failed"
    }

    private func count(_ outcome: String, since started: ContinuousClock.Instant) {
        Counter(label: "dayly_uploads_total", dimensions: [("outcome", outcome)]).increment()
        Metrics.Timer(label: "dayly_upload_seconds", dimensions: [("outcome", outcome)])
            .record(duration: started.duration(to: .now))
    }
}

extension UploadDecision {
    /// Nil where the bytes decide.
    fileprivate var refusalBeforeReading: PhotoError? {
        switch self {
        case .open, .known(.some, _, _): nil
        case .known(nil, _, _), .alreadySentToday, .inProgress: refusal
        }
    }

    /// The answer to the client, where the upload cannot go on.
    fileprivate var refusal: PhotoError {
        switch self {
        case .open: .attemptLost
        case .known(nil, _, _): .photoGone
        case .known: .idempotencyKeyReused
        case .alreadySentToday(let nextSendAt): .alreadySentToday(nextSendAt: nextSendAt)
        case .inProgress(let retryAfter): .uploadInProgress(retryAfter: retryAfter)
        }
    }
}

extension PhotoWorkerError {
    /// Whether a decoder has worked on the picture, for nothing.
    fileprivate var costsDecoding: Bool {
        switch self {
        case .unreadable, .tooLarge: true
        case .unsupportedFormat, .overloaded, .sandboxRefused, .unavailable: false
        }
    }
}

extension PhotoError {
    fileprivate init(_ error: PhotoWorkerError) {
        switch error {
        case .unsupportedFormat: self = .unsupportedMediaType
        case .unreadable: self = .unreadableImage
        case .tooLarge: self = .imageTooLarge
        case .overloaded: self = .overloaded
        case .sandboxRefused, .unavailable: self = .decoderUnavailable
        }
    }

    fileprivate var outcome: String {
        switch self {
        case .notFound: "not_found"
        case .alreadySentToday: "already_sent_today"
        case .uploadInProgress: "upload_in_progress"
        case .photoGone: "photo_gone"
        case .idempotencyKeyReused: "idempotency_key_reused"
        case .uploadTooLarge: "upload_too_large"
        case .unsupportedMediaType: "unsupported_media_type"
        case .unreadableImage: "unreadable_image"
        case .imageTooLarge: "image_too_large"
        case .storageUnavailable: "storage_unavailable"
        case .attemptLost: "attempt_lost"
        case .clocksDisagree: "clocks_disagree"
        case .overloaded: "overloaded"
        case .decoderUnavailable: "decoder_unavailable"
        case .cursorExpired: "cursor_expired"
        case .invalidTicket: "invalid_ticket"
        }
    }
}
