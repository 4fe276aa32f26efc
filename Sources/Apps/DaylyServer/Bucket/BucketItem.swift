import ObjectStorage

/// One setting of a bucket: how to read, judge and change it.
struct BucketItem<Value: Sendable> {
    /// `lifecycle`
    let name: String
    /// The message of a setting that is correct, and of one that is not.
    let met: String
    let unmet: String
    /// The consequence on a server without this setting.
    let without: String
    /// The permission to read it.
    let permission: String
    /// The value of a bucket on which nobody has set it.
    let empty: Value
    let isMet: (Value) -> Bool
    let read: () async throws(ObjectStoreError) -> BucketSetting<Value>
    /// Writes the setting to the bucket. It keeps the rules in the bucket that are not ours.
    let write: (Value) async throws(ObjectStoreError) -> BucketChange
}

extension BucketItem {
    /// - Parameters:
    ///   - setting: The server's answer to `read`.
    ///   - isApplying: Whether to set a setting that differs.
    func row(_ setting: BucketSetting<Value>, isApplying: Bool) async throws(ObjectStoreError) -> BucketRow {
        guard let found = setting.value(or: empty) else { return unreadable(setting) }
        if isMet(found) { return BucketRow(name, .inOrder, met) }
        guard isApplying else {
            return BucketRow(
                name, .differs, unmet, remedy: "Run `dayly bucket apply` with credentials that may set it.")
        }
        switch try await write(found) {
        case .accepted:
            let isKept = try await read().value(or: empty).map(isMet) ?? false
            return isKept
                ? BucketRow(name, .set, met)
                : BucketRow(
                    name, .failed, "the server accepted it but does not show it",
                    remedy: "Ask the provider whether the server keeps this setting.")
        case .unsupported:
            return BucketRow(
                name, .unsupported, "the server has this setting but does not let clients change it")
        case .forbidden:
            return BucketRow(
                name, .forbidden, "these credentials may not set it",
                remedy: "Run `dayly bucket apply` once with the credentials of the bucket's owner.")
        case .refused(let reason):
            return BucketRow(
                name, .failed, reason,
                remedy: "Set it by the provider's own tools; storage/README.md explains its purpose.")
        }
    }

    /// The row for a setting that the server does not have, or does not show.
    private func unreadable(_ setting: BucketSetting<Value>) -> BucketRow {
        if case .forbidden = setting {
            return BucketRow(
                name, .forbidden, "these credentials may not read it",
                remedy: "Allow \(permission), as `dayly bucket policy` prints it.")
        }
        return BucketRow(name, .unsupported, "the server does not have this setting", remedy: without)
    }
}
