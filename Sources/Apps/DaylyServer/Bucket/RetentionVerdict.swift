import ObjectStorage

/// Whether a bucket lets go of what is deleted.
struct RetentionVerdict: Sendable {
    let retention: BucketRetention
    let deletesVersions: Bool
    /// Whether an object that was just put there had a version of its own, whatever the server says of itself.
    var showsVersions = false

    private static let setting = "versions"

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
                Self.setting, .refused, "can be deleted by somebody with a second factor only (MFA delete)",
                remedy: "Take MFA delete off, or use another bucket: photos must go for good by themselves.")
        }
        let state = retention.versioning == .suspended ? "were kept, and still are" : "are kept"
        guard deletesVersions else {
            return BucketRow(
                Self.setting, .refused, "\(state): deleting a photo only hides it",
                remedy:
                    "Set storage.s3.delete_versions (DAYLY_STORAGE_S3_DELETE_VERSIONS) to true, or use a bucket "
                    + "that never had versioning.")
        }
        return BucketRow(Self.setting, .inOrder, "\(state), and all of a photo's are deleted with it")
    }

    private var withoutVersions: BucketRow {
        switch retention.versioning {
        case .forbidden:
            BucketRow(
                Self.setting, .forbidden, "these credentials may not ask whether the bucket keeps them",
                remedy: "Allow s3:GetBucketVersioning and s3:GetBucketObjectLockConfiguration, as "
                    + "`dayly bucket policy` prints it.")
        case .unsupported:
            BucketRow(Self.setting, .inOrder, "the server knows none: deleted is deleted")
        case .never, .enabled, .suspended:
            BucketRow(
                Self.setting, .inOrder,
                deletesVersions
                    ? "are not kept; storage.s3.delete_versions only costs a request for every object"
                    : "are not kept: deleted is deleted")
        }
    }

    private var lock: BucketRow? {
        switch retention.lock {
        case .none, .unsupported, .forbidden: nil
        case .possible:
            BucketRow("object lock", .inOrder, "is possible, but locks nothing by itself")
        case .always(let mode, let period):
            BucketRow(
                "object lock", .refused,
                "keeps every new object for \(period) (\(mode.lowercased())): photos could not go in time",
                remedy: "Take the default retention off, or use another bucket.")
        }
    }
}
