import Auth
import Crypto
import Foundation
import Groups
import Imaging
import Logging
import Metrics
import NIOCore
import Notifications
import ObjectStorage
import Postgres

/// A photo with URLs that its reader may fetch.
package struct VisiblePhoto: Sendable {
    let photo: Photo
    let links: PhotoLinks
}

/// Sends photos and shows them.
package struct PhotoService: Sendable {
    let photos: PhotoStore
    let uploads: UploadStore
    let objects: any ObjectStore
    let images: ImageProcessor
    let urls: PhotoURLs
    let cursors: GroupCursors
    let tickets: UploadTickets
    let limits: PhotoLimits
    let logger: Logger

    package init(
        postgres: PostgresClient, groups: GroupStore, objects: any ObjectStore, images: ImageProcessor,
        cursors: GroupCursors, tickets: UploadTickets, limits: PhotoLimits, desk: NotificationDesk? = nil,
        logger: Logger
    ) {
        self.photos = PhotoStore(postgres: postgres, groups: groups)
        self.uploads = UploadStore(postgres: postgres, groups: groups, limits: limits, desk: desk)
        self.objects = objects
        self.images = images
        self.urls = PhotoURLs(objects: objects, lifetime: limits.urlLifetime)
        self.cursors = cursors
        self.tickets = tickets
        self.limits = limits
        self.logger = logger
    }

    // MARK: - Showing

    func photo(_ id: PhotoID, reader: UserID) async throws -> VisiblePhoto {
        guard let photo = try visible(try await photos.require(id, reader: reader)).first else {
            throw PhotoError.notFound
        }
        return photo
    }

    func delete(_ id: PhotoID, sender: UserID) async throws {
        try await photos.delete(id, sender: sender)
    }

    func visible(_ snapshot: PhotoSnapshot) throws -> [VisiblePhoto] {
        try snapshot.photos.map { photo in
            VisiblePhoto(photo: photo, links: try urls.links(for: photo, now: snapshot.readAt))
        }
    }

    // MARK: - Tickets

    /// A ticket for the upload under `key`, unless the day is used up.
    func issueTicket(group: GroupID, identity: (user: UserID, session: UUID), key: String, now: Date)
        async throws
        -> (ticket: String, expiresAt: Date)
    {
        let outlook = try await uploads.outlook(group: group, sender: identity.user, key: key)
        if case .alreadySentToday(let nextSendAt) = outlook {
            throw PhotoError.alreadySentToday(nextSendAt: nextSendAt)
        }
        let expiry = Int(now.timeIntervalSince1970 + limits.ticketLifetime.seconds)
        let grant = UploadGrant(
            userID: identity.user.rawValue, sessionID: identity.session, groupID: group.rawValue,
            idempotencyKey: key, expiresAt: expiry)
        return (try tickets.issue(grant), Date(timeIntervalSince1970: TimeInterval(expiry)))
    }

    // MARK: - Sending

    /// Sends today's photo, or finds the one that its key stands for.
    ///
    /// - Parameter receive: Reads the image. Called only where nothing speaks against the upload yet.
    /// - Returns: The photo, and whether this call made it.
    /// - Throws: `PhotoError`, `GroupError.notFound`, `PostgresError`.
    func upload(
        to group: GroupID, from sender: UserID, key: String?, receive: () async throws -> ByteBuffer
    ) async throws -> (photo: VisiblePhoto, isNew: Bool) {
        let started = ContinuousClock.now
        do {
            let result = try await uploadUncounted(to: group, from: sender, key: key, receive: receive)
            count(result.isNew ? "accepted" : "repeated", since: started)
            return result
        } catch {
            count((error as? PhotoError).map(\.outcome) ?? "failed", since: started)
            throw error
        }
    }

    private func uploadUncounted(
        to group: GroupID, from sender: UserID, key: String?, receive: () async throws -> ByteBuffer
    ) async throws -> (photo: VisiblePhoto, isNew: Bool) {
        let outlook = try await uploads.outlook(group: group, sender: sender, key: key)
        if let refusal = outlook.refusalBeforeReading { throw refusal }

        let bytes = try await receive()
        let hash = bytes.withUnsafeReadableBytes { Array(SHA256.hash(data: $0)) }
        guard case .open = outlook else { return try settle(outlook, bytesSHA256: hash) }

        let image: ProcessedImage
        do {
            // A second look at the day: of fifty uploads at once, only the first few cost a decoding.
            image = try await images.process(bytes, for: sender.rawValue) {
                let outlook = try await uploads.outlook(group: group, sender: sender, key: key)
                guard case .open = outlook else { throw UploadRefusal(outlook: outlook) }
            }
        } catch let refusal as UploadRefusal {
            return try settle(refusal.outlook, bytesSHA256: hash)
        } catch let error as ImagingError {
            throw PhotoError(error)
        }

        let attempt = UploadAttempt(
            groupID: group, senderID: sender, idempotencyKey: key, bytesSHA256: hash, width: image.width,
            height: image.height, thumbHash: image.thumbHash)
        // What has begun is brought to its end, whether or not the client is still there.
        return try await Task { try await store(image, for: attempt) }.value
    }

    /// The answer where an upload does not go on: the photo that its key stands for, or why not.
    private func settle(_ outlook: UploadOutlook, bytesSHA256: [UInt8]) throws
        -> (photo: VisiblePhoto, isNew: Bool)
    {
        guard case .known(bytesSHA256, .some(let photo), let readAt) = outlook else { throw outlook.refusal }
        return (VisiblePhoto(photo: photo, links: try urls.links(for: photo, now: readAt)), false)
    }

    /// Transaction A, the objects, transaction B. A failure in between gives the day back.
    private func store(_ image: ProcessedImage, for attempt: UploadAttempt) async throws
        -> (photo: VisiblePhoto, isNew: Bool)
    {
        let id = PhotoID(rawValue: .version7())
        let keys = try Self.objectKeys()
        let claim: UploadClaim
        switch try await uploads.claim(attempt, keys: keys, id: id) {
        case .success(let success): claim = success
        case .failure(let refusal):
            return try settle(refusal.outlook, bytesSHA256: attempt.bytesSHA256)
        }
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

    private func count(_ outcome: String, since started: ContinuousClock.Instant) {
        Counter(label: "dayly_uploads_total", dimensions: [("outcome", outcome)]).increment()
        Metrics.Timer(label: "dayly_upload_seconds", dimensions: [("outcome", outcome)])
            .record(duration: started.duration(to: .now))
    }
}

extension UploadOutlook {
    /// Nil where the bytes decide.
    fileprivate var refusalBeforeReading: PhotoError? {
        switch self {
        case .open, .known(_, .some, _): nil
        case .known(_, nil, _), .alreadySentToday, .inProgress: refusal
        }
    }

    /// What the client hears, where the upload cannot go on.
    fileprivate var refusal: PhotoError {
        switch self {
        case .open: .attemptLost
        case .known(_, nil, _): .photoGone
        case .known: .idempotencyKeyReused
        case .alreadySentToday(let nextSendAt): .alreadySentToday(nextSendAt: nextSendAt)
        case .inProgress(let retryAfter): .uploadInProgress(retryAfter: retryAfter)
        }
    }
}

extension PhotoError {
    fileprivate init(_ error: ImagingError) {
        switch error {
        case .unsupportedFormat: self = .unsupportedMediaType
        case .unreadable: self = .unreadableImage
        case .tooLarge: self = .imageTooLarge
        case .overloaded: self = .overloaded
        case .sandboxRefused, .unavailable: self = .decoderUnavailable
        }
    }

    /// The label in `dayly_uploads_total`.
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
        case .overloaded: "overloaded"
        case .decoderUnavailable: "decoder_unavailable"
        case .cursorExpired: "cursor_expired"
        case .invalidTicket: "invalid_ticket"
        }
    }
}
