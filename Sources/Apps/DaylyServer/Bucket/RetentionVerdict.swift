import ObjectStorage

/// Whether a bucket really removes deleted objects.
struct RetentionVerdict: Sendable {
    private let retention: BucketRetention
    private let deletesVersions: Bool
    private let lines: OwnersLines
    /// Whether a new object had a version ID, even if the server denies versioning.
    var showsVersions = false

    private static let setting = "versions"

    init(retention: BucketRetention, _ s3: S3Configuration) {
        self.retention = retention
        deletesVersions = s3.deletesVersions
        lines = OwnersLines(s3)
    }

    var rows: [BucketRow] { [versions, lock].compactMap { $0 } }

    /// The first reason not to use the bucket.
    var refusal: BucketRow? { rows.first { $0.state == .refused } }

    private var keepsVersions: Bool {
        [.enabled, .suspended].contains(retention.versioning) || showsVersions
    }

    private var versions: BucketRow {
        guard keepsVersions else { return withoutVersions }
        if retention.needsMFA {
            return BucketRow(
                Self.setting, .refused, "can be deleted with a second factor only (MFA delete)",
                remedy:
                    "Switch MFA delete off, or use another bucket: the service must be able to delete photos for good."
            )
        }
        let state = retention.versioning == .suspended ? "were kept, and still are" : "are kept"
        guard deletesVersions else {
            return BucketRow(
                Self.setting, .refused, "\(state): deleting a photo only hides it",
                remedy:
                    "Set storage.s3.delete_versions (DAYLY_STORAGE_S3_DELETE_VERSIONS) to true, or use a bucket "
                    + "that never had versioning.")
        }
        return BucketRow(Self.setting, .inOrder, "\(state), and Dayly deletes all versions of a photo")
    }

    private var withoutVersions: BucketRow {
        switch retention.versioning {
        case .forbidden:
            BucketRow(
                Self.setting, .forbidden, "these credentials may not read whether the bucket keeps versions",
                remedy: "Allow s3:GetBucketVersioning and s3:GetBucketObjectLockConfiguration, as "
                    + "`dayly bucket policy` prints it.")
        case .unsupported:
            BucketRow(Self.setting, .inOrder, "the server has no versions, so a deleted object is gone")
        case .never, .enabled, .suspended:
            BucketRow(
                Self.setting, .inOrder,
                deletesVersions
                    ? "are not kept, so storage.s3.delete_versions only costs one more request for every object"
                    : "are not kept, so a deleted object is gone")
        }
    }

    private var lock: BucketRow? {
        switch retention.lock {
        case .none, .unsupported, .forbidden: nil
        case .possible:
            BucketRow("object lock", .inOrder, "is possible, but there is no default retention")
        case .always(let mode, let period):
            BucketRow(
                "object lock", .refused,
                "keeps every new object for \(period) (\(mode.lowercased())), so photos could not be deleted in time",
                remedy: "Remove the default retention as the bucket's owner, or use another bucket.",
                lines: [
                    lines.aws(
                        "put-object-lock-configuration", "--object-lock-configuration",
                        "ObjectLockEnabled=Enabled"), lines.mc("retention clear --default"),
                ])
        }
    }
}
