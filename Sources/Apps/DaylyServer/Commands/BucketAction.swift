import Foundation
import Logging
import ObjectStorage

/// `dayly bucket`.
package enum BucketAction {
    package enum Mode: Sendable {
        /// Reads the settings and reports the differences.
        case show
        /// Sets the settings that differ. `creating` makes the bucket first if it does not exist.
        case apply(creating: Bool)
    }

    /// - Returns: One row for each setting; none for the store on files, which needs no settings.
    package static func run(
        _ configuration: ServerConfiguration, mode: Mode, logger: Logger
    ) async throws -> [BucketRow] {
        guard let s3 = configuration.storage.s3 else { return [] }
        let plan = try BucketPlan(configuration, s3)
        let store = try S3ObjectStore(configuration: s3, logger: logger)
        return try await finally({ await store.shutdown() }) {
            do throws(ObjectStoreError) {
                return try await rows(BucketSetup(store: store, plan: plan), mode)
            } catch {
                let failure = StorageFailure(error)
                throw CommandFailure(reason: "The bucket \(failure.message).", remedy: failure.remedy)
            }
        }
    }

    private static func rows(
        _ setup: BucketSetup, _ mode: Mode
    ) async throws(ObjectStoreError) -> [BucketRow] {
        guard case .apply(let isCreating) = mode else { return try await setup.rows(isApplying: false) }
        var rows: [BucketRow] = []
        if isCreating, try await setup.store.makeBucket() {
            rows.append(BucketRow("bucket", .set, "'\(setup.plan.bucket)' is created"))
        }
        return rows + (try await setup.rows(isApplying: true))
    }

    /// The AWS policy with the permissions that the service's credentials need for this bucket.
    ///
    /// - Returns: nil for the store on files.
    package static func policy(_ configuration: ServerConfiguration) throws -> String? {
        guard let s3 = configuration.storage.s3 else { return nil }
        return String(buffer: try BucketPlan(configuration, s3).permissions.json)
    }
}
