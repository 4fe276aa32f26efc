import Logging
import Metrics
import ObjectStorage

/// Says at the start of `serve` when the bucket keeps what is deleted. It is no reason not to start: photos that are
/// there must still be shown and swept.
enum RetentionWarning {
    /// - Returns: why the bucket should not be used, if there is a reason.
    @discardableResult
    static func log(
        _ store: any ObjectStore, _ configuration: ServerConfiguration, logger: Logger
    ) async throws(ObjectStoreError) -> BucketRow? {
        guard let store = store as? S3ObjectStore, let settings = configuration.storage.s3 else { return nil }
        let verdict = RetentionVerdict(
            retention: try await store.retention(), deletesVersions: settings.deletesVersions)
        Gauge(label: "dayly_bucket_keeps_deleted").record(verdict.refusal == nil ? 0 : 1)
        guard let refusal = verdict.refusal else { return nil }
        logger.error(
            "the bucket keeps what is deleted: \(refusal.setting) \(refusal.message). \(refusal.remedy ?? "")"
        )
        return refusal
    }
}
