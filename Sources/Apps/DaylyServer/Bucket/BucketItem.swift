import ObjectStorage

/// One setting of a bucket: how to judge it, and the lines that mend it.
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
    /// A warning, where the lines would replace rules that somebody else has set on the bucket; nil if they keep those.
    var caution: (Value) -> String? = { _ in nil }
    let lines: (Value) throws -> [String]
}

extension BucketItem {
    /// - Parameter setting: The server's answer.
    func row(_ setting: BucketSetting<Value>) throws -> BucketRow {
        guard let found = setting.value(or: empty) else { return unreadable(setting) }
        if isMet(found) { return BucketRow(name, .inOrder, met) }
        let lines = try lines(found)
        let choice = lines.count == 1 ? "this" : "one of these"
        return BucketRow(
            name, .differs, unmet,
            remedy: ["Run \(choice) with the credentials of the bucket's owner.", caution(found)]
                .compactMap { $0 }.joined(separator: " "),
            lines: lines)
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
