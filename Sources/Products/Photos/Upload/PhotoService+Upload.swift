import Auth
import FeatureKit
import Foundation
import Groups
import Logging
import Metrics
import ObjectStorage
import PhotoWorkers
import Postgres
import RateLimiting

/// Sending a photo.
extension PhotoService {
    /// Stores today's photo, or finds the photo that an earlier upload stored under the same key.
    ///
    /// - Parameter receive: reads the image. It is not called if the upload can be refused without its bytes.
    /// - Returns: the photo, and whether this call stored it.
    /// - Throws: `PhotoError`, `GroupError.notFound`, `RateLimited`, `PostgresError`.
    func upload(
        to group: GroupID, from sender: UserID, key: String?, receive: () async throws -> UploadedImage
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
        to group: GroupID, from sender: UserID, key: String?, receive: () async throws -> UploadedImage
    ) async throws -> (photo: VisiblePhoto, isNew: Bool) {
        let before = try await uploads.decisionBeforeDecoding(group: group, sender: sender, key: key)
        if let refusal = before.refusalBeforeReading { throw refusal }

        let upload = try await read(receive)
        let digest = UploadDigest(of: upload, group: group, sender: sender)
        guard case .open = before else { return try answer(to: before, digest) }

        guard let turn = turns.begin(UploadTurns.Slot(group: group, sender: sender)) else {
            throw PhotoError.uploadInProgress(retryAfter: .seconds(2))
        }
        defer { turn.end() }
        // Another upload may have taken the day while this one's bytes were on their way.
        let now = try await uploads.decisionBeforeDecoding(group: group, sender: sender, key: key)
        guard case .open = now else { return try answer(to: now, digest) }
        let image = try await decode(upload.picture, of: sender)
        let attempt = UploadAttempt(
            groupID: group, senderID: sender, idempotencyKey: key,
            fingerprint: key == nil ? nil : fingerprints.make(digest), width: image.width,
            height: image.height, thumbHash: image.thumbHash)
        // The task of its own completes the upload even if the client disconnects.
        return try await Task { try await store(image, for: attempt, digest, turn) }.value
    }

    private func read(_ receive: () async throws -> UploadedImage) async throws -> UploadedImage {
        do {
            return try await receive()
        } catch let error as PhotoWorkerError {
            logger.warning(
                "the system has no memory for the picture of an upload", metadata: ["error": "\(error)"])
            throw PhotoError(error)
        }
    }

    private func decode(_ picture: SealedPicture, of sender: UserID) async throws -> ProcessedImage {
        do {
            return try await images.process(picture, for: sender.rawValue)
        } catch let error as PhotoWorkerError {
            if error.costsDecoding { try await uploads.quota.countFailure(of: sender) }
            throw PhotoError(error)
        }
    }

    /// The answer to an upload that is not stored: the photo of an earlier upload with the same key and bytes.
    ///
    /// - Throws: `PhotoError` with the reason of a refusal.
    private func answer(to decision: UploadDecision, _ digest: UploadDigest) throws
        -> (photo: VisiblePhoto, isNew: Bool)
    {
        guard case .known(.some(let photo), .some(let fingerprint), let readAt) = decision,
            fingerprints.matches(fingerprint, digest)
        else { throw decision.refusal }
        return (VisiblePhoto(photo: photo, links: try urls.links(for: photo, now: readAt)), false)
    }

    /// Claims the day (transaction A), writes the objects and accepts the photo (transaction B). After a failure in between
    /// the day is free again.
    ///
    /// - Parameter turn: ends as soon as the day is claimed. From then on the claim's row refuses other uploads.
    private func store(
        _ image: ProcessedImage, for attempt: UploadAttempt, _ digest: UploadDigest, _ turn: UploadTurn
    ) async throws -> (photo: VisiblePhoto, isNew: Bool) {
        let id = PhotoID(rawValue: .version7())
        let keys = try Self.objectKeys()
        let claim: UploadClaim
        switch try await uploads.claim(attempt, keys: keys, id: id) {
        case .success(let success): claim = success
        case .failure(let refusal): return try answer(to: refusal.decision, digest)
        }
        turn.end()
        do {
            try await put(image, under: claim)
            let accepted = try await uploads.accept(claim, of: attempt)
            let links = try urls.links(for: accepted.photo, now: accepted.readAt)
            return (VisiblePhoto(photo: accepted.photo, links: links), true)
        } catch PostgresError.commitOutcomeUnknown {
            // The photo may have been accepted. The client learns it by a retry with the same key.
            throw PostgresError.commitOutcomeUnknown
        } catch {
            await abandon(claim)
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
            logger.warning("the object store did not accept a photo", metadata: ["error": "\(error)"])
            throw PhotoError.storageUnavailable
        }
    }

    private func abandon(_ claim: UploadClaim) async {
        do {
            try await uploads.abandon(claim)
        } catch {
            // After the lease has expired the sweeper does the same.
            logger.warning(
                "an upload could not be abandoned; the sweeper does it after its lease",
                metadata: ["error": "\(error)"])
        }
    }

    /// Random keys: each is used once, cannot be guessed and says nothing about the sender.
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
    /// Nil if the decision needs the upload's bytes.
    fileprivate var refusalBeforeReading: PhotoError? {
        switch self {
        case .open, .known(.some, _, _): nil
        case .known(nil, _, _), .alreadySentToday, .inProgress: refusal
        }
    }

    /// Why the upload is not stored.
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
    /// Whether a decoder has spent time on the picture.
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

    /// The label in `dayly_uploads_total`: the problem's code, except for reasons that share a code with another one.
    fileprivate var outcome: String {
        switch self {
        case .attemptLost: "attempt_lost"
        case .clocksDisagree: "clocks_disagree"
        case .decoderUnavailable: "decoder_unavailable"
        case .invalidTicket: "invalid_ticket"
        default: problem.code.rawValue
        }
    }
}
