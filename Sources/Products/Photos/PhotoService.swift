import Auth
import FeatureKit
import Foundation
import Groups
import Logging
import Notifications
import ObjectStorage
import PhotoWorkers
import Postgres
import RateLimiting

/// A photo with the signed URLs of its objects.
struct VisiblePhoto: Sendable {
    let photo: Photo
    let links: PhotoLinks
}

/// The rules of sending, showing and deleting photos.
struct PhotoService: Sendable {
    let photos: PhotoStore
    let uploads: UploadStore
    let objects: any ObjectStore
    let images: ImageProcessor
    let urls: PhotoURLs
    let senders = KnownSenders()
    let cursors: GroupCursors
    let tickets: UploadTickets
    let fingerprints: UploadFingerprints
    let turns = UploadTurns()
    let promptDeletion: PromptDeletion
    let limits: PhotoSettings
    let logger: Logger

    init(
        postgres: PostgresClient, groups: GroupMembership, objects: any ObjectStore, images: ImageProcessor,
        cursors: GroupCursors, tickets: UploadTickets, fingerprints: UploadFingerprints, rates: RateLimits,
        limits: PhotoSettings, notifications: NotificationOutbox? = nil, clocks: ClockWatch? = nil,
        logger: Logger
    ) {
        self.photos = PhotoStore(postgres: postgres, groups: groups)
        self.uploads = UploadStore(
            postgres: postgres, groups: groups, limits: limits,
            quota: DecodingQuota(rates: rates, postgres: postgres), notifications: notifications,
            clocks: clocks)
        self.objects = objects
        self.images = images
        self.urls = PhotoURLs(objects: objects, lifetime: limits.urlLifetime)
        self.cursors = cursors
        self.tickets = tickets
        self.fingerprints = fingerprints
        self.promptDeletion = PromptDeletion(
            store: ForgettingStore(postgres: postgres), objects: objects, logger: logger)
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

    /// Ends a photo. Its URLs stop working at once if the store deletes the objects in time; otherwise the sweeper deletes
    /// them.
    func delete(_ id: PhotoID, sender: UserID) async throws {
        guard let claim = try await end(id, sender: sender) else { return }
        await promptDeletion.finish(claim)
    }

    /// A photo that ended by a clock that is ahead would be visible again as soon as the clock is right. Refusing the deletion
    /// would be worse.
    private func end(_ id: PhotoID, sender: UserID) async throws -> DeletionClaim? {
        guard let clocks = uploads.clocks else { return try await photos.delete(id, sender: sender) }
        do {
            return try await clocks.checking { try await photos.delete(id, sender: sender, verify: $0) }
        } catch is ClocksDisagree {
            return try await photos.delete(id, sender: sender, verify: nil)
        }
    }

    func visible(_ snapshot: PhotoSnapshot) throws -> [VisiblePhoto] {
        try snapshot.photos.map { photo in
            VisiblePhoto(photo: photo, links: try urls.links(for: photo, now: snapshot.readAt))
        }
    }

    // MARK: - Tickets

    /// Issues a ticket for the upload with the idempotency key `key`, unless the sender has already used the day.
    func issueTicket(group: GroupID, identity: (user: UserID, session: UUID), key: String, now: Date)
        async throws
        -> (ticket: String, expiresAt: Date)
    {
        let decision = try await uploads.decision(group: group, sender: identity.user, key: key)
        if case .alreadySentToday(let nextSendAt) = decision {
            throw PhotoError.alreadySentToday(nextSendAt: nextSendAt)
        }
        let expiry = Int(now.timeIntervalSince1970 + limits.ticketLifetime / .seconds(1))
        let grant = UploadGrant(
            userID: identity.user.rawValue, sessionID: identity.session, groupID: group.rawValue,
            idempotencyKey: key, expiresAt: expiry)
        return (try tickets.issue(grant), Date(timeIntervalSince1970: TimeInterval(expiry)))
    }
}
