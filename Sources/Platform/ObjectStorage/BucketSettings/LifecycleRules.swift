/// A bucket's lifecycle configuration: which objects the server deletes by itself, and when.
package struct LifecycleRules: Sendable, Hashable {
    package let rules: [LifecycleRule]

    package init(_ rules: [LifecycleRule] = []) {
        self.rules = rules
    }

    init(xml: XMLTree) {
        rules = xml.all("Rule").map(LifecycleRule.init(xml:))
    }
}

/// One rule of a ``LifecycleRules``.
package struct LifecycleRule: Sendable, Hashable {
    package let id: String?
    package let isEnabled: Bool
    /// The prefix of the keys that the rule applies to; empty for all keys.
    package let prefix: String
    /// Whether the rule applies only to tagged objects.
    package let isForTags: Bool
    /// Whether the rule excludes some of the keys under its prefix.
    package let isPartial: Bool
    /// The number of days after which the rule deletes an object.
    package let expirationDays: Int?
    /// Whether the rule deletes everything from a fixed date on.
    package let expiresByDate: Bool
    /// The number of days after which the rule deletes a version that a newer version or a marker hides.
    package let noncurrentDays: Int?

    init(xml: XMLTree) {
        let filters = xml.all("Filter").flatMap { [$0] + $0.all("And") }
        func days(_ part: String, _ unit: String) -> Int? {
            xml.all(part).first?[unit].flatMap { Int($0) }
        }
        id = xml["ID"]
        isEnabled = xml["Status"] == "Enabled"
        prefix = xml["Prefix"] ?? filters.compactMap { $0["Prefix"] }.first ?? ""
        isForTags = filters.contains { !$0.all("Tag").isEmpty }
        isPartial =
            isForTags
            || filters.contains { $0["ObjectSizeGreaterThan"] != nil || $0["ObjectSizeLessThan"] != nil }
        expirationDays = days("Expiration", "Days")
        expiresByDate = xml.all("Expiration").first?["Date"] != nil
        noncurrentDays = days("NoncurrentVersionExpiration", "NoncurrentDays")
    }

    /// A rule for all keys under `prefix`. The numbers are days.
    package init(id: String, prefix: String, expiration: Int, noncurrent: Int?) {
        self.id = id
        isEnabled = true
        self.prefix = prefix
        isForTags = false
        isPartial = false
        expirationDays = expiration
        expiresByDate = false
        noncurrentDays = noncurrent
    }
}
