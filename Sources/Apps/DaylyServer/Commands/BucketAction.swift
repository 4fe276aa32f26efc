import CommandKit
import Foundation
import Logging
import ObjectStorage

/// `dayly bucket`.
package enum BucketAction {
    /// - Returns: One row for each setting; none for the store on files, which needs no settings.
    package static func run(
        _ configuration: ServerConfiguration, logger: Logger
    ) async throws -> [BucketRow] {
        guard let s3 = configuration.storage.s3 else { return [] }
        let plan = try BucketPlan(configuration, s3)
        let store = try S3ObjectStore(configuration: s3, logger: logger)
        return try await finally({ await store.shutdown() }) {
            do {
                return try await BucketVerdict(store: store, plan: plan).rows()
            } catch let error as ObjectStoreError {
                let failure = StorageFailure(error)
                throw CommandFailure(reason: "The bucket \(failure.message).", remedy: failure.remedy)
            }
        }
    }

    /// The AWS policy with the permissions that the service's credentials need for this bucket.
    ///
    /// - Returns: nil for the store on files.
    package static func policy(_ configuration: ServerConfiguration) throws -> String? {
        guard let s3 = configuration.storage.s3 else { return nil }
        return String(buffer: try BucketPlan(configuration, s3).permissions.json)
    }
}
