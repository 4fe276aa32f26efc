import ObjectStorage

/// An object store's error, as what is wrong and what mends it. What a store refuses says both, parted by a semicolon.
struct StorageTrouble: Sendable {
    let text: String
    let remedy: String

    init(_ error: ObjectStoreError, remedy fallback: String = Self.lookAtS3) {
        switch error {
        case .unavailable(let reason):
            text = "cannot be reached: \(reason)"
            remedy = fallback
        case .rejected(let reason):
            let parts = reason.split(separator: "; ", maxSplits: 1)
            text = "refuses: \(parts.first ?? "")"
            remedy = parts.count == 2 ? Self.sentence(parts[1]) : fallback
        case .corrupted(let reason):
            text = reason
            remedy = fallback
        case .notFound:
            text = "does not have what was just put there"
            remedy = fallback
        }
    }

    static let lookAtS3 =
        "Look at storage.s3.endpoint, .region, .bucket, .access_key_id and .secret_access_key."

    /// The names in it stay as they are.
    private static func sentence(_ text: Substring) -> String {
        let isKey = text.hasPrefix("storage.")
        return (isKey ? String(text) : text.prefix(1).uppercased() + text.dropFirst()) + "."
    }
}
