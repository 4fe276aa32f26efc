import Logging
import ObjectStorage
import Postgres
import Restoration

extension ErasureKind {
    /// A photo was deleted or hidden before its expiry.
    static let photo = ErasureKind(rawValue: "photo")
}

/// The photos' part of a restore: deleted photos must not come back with a backup.
struct PhotoRestorations: Sendable {
    private let store: RestoredPhotoStore
    private let objects: any ObjectStore
    private let lifetime: Duration
    private let logger: Logger

    /// - Parameter lifetime: how long a photo is visible.
    init(postgres: PostgresClient, objects: any ObjectStore, lifetime: Duration, logger: Logger) {
        store = RestoredPhotoStore(postgres: postgres)
        self.objects = objects
        self.lifetime = lifetime
        self.logger = logger
    }

    var walks: [RestoreWalk] {
        [photos, photosWithoutObjects, objectsThatAreDue]
    }

    /// Ends photos that had been deleted. Their objects are due at once.
    private var photos: RestoreWalk {
        .erasing("photos", .photo, count: \.photos, rows: store.photos, erase: store.end)
    }

    /// Hides photos whose objects are gone: an incomplete journal does not say that these photos were deleted.
    private var photosWithoutObjects: RestoreWalk {
        .once("photosWithoutObjects", .incompleteJournal, count: \.photosWithoutObjects) { scope in
            var settings = AuditSettings(lifetime: lifetime)
            settings.mends = true
            settings.hideCeiling = nil
            // Named after the restore, so that a restore that was killed resumes its audit, and no other one does.
            let audit = PhotoAudit(
                postgres: store.postgres, objects: objects, name: "restore \(scope.restore)", logger: logger)
            while true {
                do {
                    return try await audit.run(settings, resume: true).hiddenPhotos
                } catch AuditFailure.underWay {
                    // Another instance that started at the same time holds the audit's lease.
                    try await Task.sleep(for: .seconds(1))
                }
            }
        }
    }

    private var objectsThatAreDue: RestoreWalk {
        .once("objects", .last, count: \.objects) { _ in
            try await PhotoSweeper(postgres: store.postgres, objects: objects, logger: logger).runOnce()
                .deletedObjects
        }
    }
}
