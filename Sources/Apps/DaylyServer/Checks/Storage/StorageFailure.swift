import ObjectStorage

/// An error of the object store in two texts: what is wrong, and what the operator can do about it.
struct StorageFailure: Error, Equatable {
    /// The end of a sentence about the store, without its full stop: `cannot be reached: …`.
    let message: String
    /// A sentence.
    let remedy: String

    init(message: String, remedy: String) {
        self.message = message
        self.remedy = remedy
    }

    /// - Parameter fallback: The remedy where the error does not name one.
    init(_ error: ObjectStoreError, remedy fallback: String = Self.checkS3Settings) {
        switch error {
        case .unavailable(let reason):
            self.init(message: "cannot be reached: \(reason)", remedy: fallback)
        case .rejected(let reason, let culprit):
            self.init(message: "refuses: \(reason)", remedy: Self.remedy(culprit) ?? fallback)
        case .corrupted(let reason):
            self.init(message: reason, remedy: fallback)
        case .notFound:
            self.init(message: "does not have the object that was just put there", remedy: fallback)
        }
    }

    static let checkS3Settings =
        "Check storage.s3.endpoint, .region, .bucket, .access_key_id and .secret_access_key."

    /// The settings that correct a refusal; nil where none does.
    static func remedy(_ culprit: ObjectStoreError.Culprit) -> String? {
        switch culprit {
        case .bucket:
            "Create the bucket as its owner (`aws s3 mb s3://BUCKET`, `mc mb ALIAS/BUCKET` or `rclone mkdir REMOTE:BUCKET`), "
                + "or correct storage.s3.bucket."
        case .accessKeyID: "Correct storage.s3.access_key_id."
        case .credentials: "Correct storage.s3.access_key_id or storage.s3.secret_access_key."
        case .permission:
            "Check storage.s3.access_key_id and storage.s3.secret_access_key, and what these credentials may do."
        case .region:
            "Set storage.s3.region to the region of the bucket, and storage.s3.endpoint to the endpoint of that region."
        case .signatureScope: "Correct storage.s3.region or storage.s3.access_key_id."
        case .address: "Correct storage.s3.endpoint, storage.s3.region or storage.s3.path_style."
        case .endpoint:
            "Correct storage.s3.endpoint, or storage.s3.public_endpoint where it is set: the host, the port, "
                + "and http:// or https://."
        case .certificateName:
            "Correct storage.s3.endpoint, or give the server a certificate for this name."
        case .certificate:
            "Renew the certificate, or let storage.s3.ca_file name the PEM file of its authority."
        case .authorities: "Let storage.s3.ca_file name a PEM file of authorities."
        case .clock: "Synchronize this machine's clock by NTP (`timedatectl set-ntp true`, or chrony)."
        case .versions: "Set storage.s3.delete_versions to false, or leave it out."
        case .folder:
            "Let storage.path (DAYLY_STORAGE_PATH) name a folder that this user may write to, on one file system."
        case .other: nil
        }
    }
}
