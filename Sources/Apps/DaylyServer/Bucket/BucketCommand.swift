import Foundation
import Logging
import ObjectStorage

/// What `dayly bucket` does.
package enum BucketCommand {
    package enum Mode: Sendable {
        /// Look, and say what differs.
        case show
        /// Set what differs; with `creating`, make the bucket first where there is none.
        case apply(creating: Bool)
    }

    /// - Returns: nothing for a store of files, which needs no settings.
    package static func run(
        _ configuration: ServerConfiguration, mode: Mode, logger: Logger
    ) async throws -> [BucketRow] {
        guard let s3 = configuration.storage.s3 else { return [] }
        let plan = try BucketPlan(configuration, s3)
        let store = try Gateways.s3(s3, logger: logger)
        do {
            let rows = try await rows(BucketSetup(store: store, plan: plan), mode)
            await store.shutdown()
            return rows
        } catch {
            await store.shutdown()
            throw ServeFailure(storage: error)
        }
    }

    private static func rows(
        _ setup: BucketSetup, _ mode: Mode
    ) async throws(ObjectStoreError) -> [BucketRow] {
        guard case .apply(let isCreating) = mode else { return try await setup.rows(isApplying: false) }
        var rows: [BucketRow] = []
        if isCreating, try await setup.store.makeBucket() {
            rows.append(BucketRow("bucket", .set, "'\(setup.plan.bucket)' is made"))
        }
        return rows + (try await setup.rows(isApplying: true))
    }

    /// The policy that the service's credentials need, for this bucket.
    ///
    /// - Returns: nil for a store of files.
    package static func policy(_ configuration: ServerConfiguration) throws -> String? {
        guard let s3 = configuration.storage.s3 else { return nil }
        return String(buffer: try BucketPlan(configuration, s3).permissions.json)
    }
}

extension ServeFailure {
    fileprivate init(storage error: ObjectStoreError) {
        let failure = StorageFailure(error)
        self.init(reason: "The bucket \(failure.message).", remedy: failure.remedy)
    }
}
