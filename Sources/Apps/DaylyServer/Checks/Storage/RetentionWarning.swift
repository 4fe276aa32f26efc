import Logging
import Metrics
import ObjectStorage

/// Reports at the start of `serve` that the bucket keeps deleted objects. The service starts all the same, because it must
/// show and sweep the photos that it has.
enum RetentionWarning {
    /// - Returns: The reason not to use the bucket, if there is one.
    @discardableResult
    static func log(
        _ store: any ObjectStore, _ configuration: ServerConfiguration, logger: Logger
    ) async throws(ObjectStoreError) -> BucketRow? {
        guard let store = store as? S3ObjectStore, let settings = configuration.storage.s3 else { return nil }
        let verdict = RetentionVerdict(retention: try await store.retention(), settings)
        Gauge(label: "dayly_bucket_keeps_deleted").record(verdict.refusal == nil ? 0 : 1)
        guard let refusal = verdict.refusal else { return nil }
        logger.error(
            "the bucket keeps deleted objects: \(refusal.setting) \(refusal.message). \(refusal.remedy ?? "")"
        )
        return refusal
    }
}
