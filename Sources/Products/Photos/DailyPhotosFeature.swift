import Auth
import DaylyAPI
import FeatureKit
import Foundation
import Groups
import HTTPKit
import Jobs
import Notifications
import PhotoWorkers
import Postgres
import Restoration
import ServiceLifecycle

/// Photos: each member of a group may send one a day, and it disappears after its lifetime.
package struct DailyPhotosFeature: Feature {
    private let settings: PhotoSettings
    private let platform: Platform
    private let service: PhotoService
    private let photoRoutes: PhotoRoutes
    private let isBucketOurs: @Sendable () async throws -> Bool
    private let isBucketTrusted: @Sendable () async throws -> Bool

    /// - Parameters:
    ///   - images: decodes pictures.
    ///   - authenticator: identifies senders. An upload may come with a ticket instead of an access token.
    ///   - isBucketOurs: whether the bucket belongs to this database. Otherwise no audit begins.
    ///   - isBucketTrusted: whether the bucket has lost nothing that is known. Audits ask before they hide a photo.
    package init(
        _ settings: PhotoSettings, platform: Platform, images: ImageProcessor, authenticator: Authenticator,
        cursors: GroupCursors, notifications: NotificationOutbox,
        isBucketOurs: @escaping @Sendable () async throws -> Bool,
        isBucketTrusted: @escaping @Sendable () async throws -> Bool
    ) {
        self.settings = settings
        self.platform = platform
        self.isBucketOurs = isBucketOurs
        self.isBucketTrusted = isBucketTrusted
        service = PhotoService(
            postgres: platform.database, groups: GroupMembership(postgres: platform.database),
            objects: platform.objects, images: images, cursors: cursors,
            tickets: UploadTickets(secret: platform.secrets),
            fingerprints: UploadFingerprints(secret: platform.secrets), rates: platform.rates,
            limits: settings, notifications: notifications, clocks: platform.clocks,
            logger: platform.logger)
        photoRoutes = PhotoRoutes(
            photos: service, authenticator: authenticator,
            uploadMemory: BodyBudget(maxBytes: settings.uploadMemory, metric: "dayly_upload_memory"),
            now: platform.now)
    }

    package var routes: [Route] { photoRoutes.routes }

    package var exports: [UserDataExport] { [service.export] }

    package var restorations: [RestoreWalk] {
        PhotoRestorations(
            postgres: platform.database, objects: platform.objects, lifetime: settings.lifetime,
            logger: platform.logger
        ).walks
    }

    package var jobs: [any Service] { [sweep, clocks, expiryEvents] + audit }

    /// Whether the process has memory and a decoder for an upload now.
    ///
    /// - Parameter bodyLength: in bytes; nil for a body of unknown length.
    package func hasRoom(for bodyLength: Int?) -> Bool { photoRoutes.hasRoom(for: bodyLength) }

    /// Decodes a small picture, for the readiness of the service.
    ///
    /// - Throws: `PhotoWorkerError` if no decoder can be started.
    package func checkDecoder() async throws(PhotoWorkerError) { try await service.images.check() }

    /// The photos that have not expired, as every member sees them. The caller decides who may see them.
    package func messages(of ids: [UUID]) async throws -> [DaylyAPI.Photo] {
        try await service.messages(of: ids)
    }

    package static let webNotifications: [NotificationKind: WebNotification] = [
        .photo: WebNotification(
            page: { "/g/\($0["group_id"] ?? "")" },
            ["en": "The first photo of the day is here.", "de": "Das erste Foto des Tages ist da."])
    ]

    /// Says whether the photos that notifications are about still exist. It does not need the feature itself, because the
    /// feature is built after the notifications.
    package static func notificationSource(_ platform: Platform) -> NotificationSource {
        let postgres = platform.jobDatabase
        return PhotoStore(postgres: postgres, groups: GroupMembership(postgres: postgres)).notificationSource
    }
}

extension DailyPhotosFeature {
    private var sweep: PeriodicJob {
        let sweeper = PhotoSweeper(
            postgres: platform.jobDatabase, objects: platform.objects, clocks: platform.clocks,
            logger: platform.logger)
        return PeriodicJob(
            name: "photo_sweep", interval: settings.sweepInterval, logger: platform.logger
        ) {
            try await sweeper.runOnce().requireStore()
        }
    }

    /// Compares the clocks even if there is nothing to sweep, for the metric and the log.
    private var clocks: PeriodicJob {
        let (postgres, clocks) = (platform.jobDatabase, platform.clocks)
        return PeriodicJob(name: "clocks", interval: .seconds(60), logger: platform.logger) {
            try await clocks.whileAgreed(postgres) {}
        }
    }

    /// A job of its own, so that an object store that hangs does not delay events.
    private var expiryEvents: PeriodicJob {
        let (postgres, clocks) = (platform.jobDatabase, platform.clocks)
        let events = PhotoExpiryEvents(postgres: postgres, groups: GroupMembership(postgres: postgres))
        return PeriodicJob(
            name: "photo_announcements", interval: settings.sweepInterval, logger: platform.logger
        ) {
            try await clocks.whileAgreed(postgres) { try await events.runOnce() }
        }
    }

    /// Checks every minute, or every interval if that is shorter, whether an audit is due.
    private var audit: [any Service] {
        let interval = settings.auditInterval
        guard interval > .zero else { return [] }
        var auditSettings = AuditSettings(lifetime: settings.lifetime)
        auditSettings.mends = true
        auditSettings.requestsPerSecond = settings.auditRequestsPerSecond
        let audit = PhotoAudit(
            postgres: platform.jobDatabase, objects: platform.objects, name: "service",
            isBucketOurs: isBucketOurs, isBucketTrusted: isBucketTrusted, logger: platform.logger)
        let job = AuditJob(audit, auditSettings, every: interval, logger: platform.logger)
        return [
            PeriodicJob(name: "audit", interval: min(interval, .seconds(60)), logger: platform.logger) {
                try await job.runOnce()
            }
        ]
    }
}
