/// A bucket's lifecycle configuration: which objects the server deletes by itself, and when. Rules of other programs keep
/// all of their elements.
package struct LifecycleRules: Sendable, Hashable {
    package var rules: [LifecycleRule]

    package init(_ rules: [LifecycleRule] = []) {
        self.rules = rules
    }

    init(xml: XMLTree) {
        rules = xml.all("Rule").map(LifecycleRule.init(xml:))
    }

    var xml: XMLTree { XMLTree(name: BucketPart.lifecycle.root, children: rules.map(\.xml)) }

    /// The same rules with `rule` in place of the rule of the same name, or at the end.
    package func replacing(_ rule: LifecycleRule) -> LifecycleRules {
        LifecycleRules(rules.filter { $0.id != rule.id } + [rule])
    }
}

/// One rule of a ``LifecycleRules``.
package struct LifecycleRule: Sendable, Hashable {
    /// The rule's element, as the server has it or is to get it.
    let xml: XMLTree

    init(xml: XMLTree) {
        self.xml = xml
    }

    /// A rule for all keys under `prefix`. The numbers are days; `nil` leaves a part out.
    package init(id: String, prefix: String, expiration: Int?, noncurrent: Int?, abort: Int?) {
        func part(_ name: String, _ unit: String, _ days: Int?) -> [XMLTree] {
            guard let days else { return [] }
            return [XMLTree(name: name, children: [XMLTree(name: unit, text: String(days))])]
        }
        let filter = XMLTree(name: "Filter", children: [XMLTree(name: "Prefix", text: prefix)])
        xml = XMLTree(
            name: "Rule",
            children: [
                XMLTree(name: "ID", text: id), filter, XMLTree(name: "Status", text: "Enabled"),
            ] + part("Expiration", "Days", expiration)
                + part("NoncurrentVersionExpiration", "NoncurrentDays", noncurrent)
                + part("AbortIncompleteMultipartUpload", "DaysAfterInitiation", abort))
    }

    package var id: String? { xml["ID"] }

    package var isEnabled: Bool { xml["Status"] == "Enabled" }

    /// The prefix of the keys that the rule applies to; empty for all keys.
    package var prefix: String {
        let filter = xml.all("Filter").first
        return xml["Prefix"] ?? filter?["Prefix"] ?? filter?.all("And").first?["Prefix"] ?? ""
    }

    /// Whether the rule applies only to tagged objects.
    package var isForTags: Bool {
        filters.contains { !$0.all("Tag").isEmpty }
    }

    /// Whether the rule excludes some of the keys under its prefix.
    package var isPartial: Bool {
        isForTags
            || filters.contains { $0["ObjectSizeGreaterThan"] != nil || $0["ObjectSizeLessThan"] != nil }
    }

    private var filters: [XMLTree] { xml.all("Filter").flatMap { [$0] + $0.all("And") } }

    /// The number of days after which the rule deletes an object.
    package var expirationDays: Int? { days("Expiration", "Days") }

    /// Whether the rule deletes everything from a fixed date on.
    package var expiresByDate: Bool { xml.all("Expiration").first?["Date"] != nil }

    /// The number of days after which the rule deletes a version that a newer version or a marker hides.
    package var noncurrentDays: Int? { days("NoncurrentVersionExpiration", "NoncurrentDays") }

    /// The number of days after which the rule aborts a multipart upload that was not completed.
    package var abortDays: Int? { days("AbortIncompleteMultipartUpload", "DaysAfterInitiation") }

    private func days(_ part: String, _ unit: String) -> Int? {
        xml.all(part).first?[unit].flatMap { Int($0) }
    }

    /// The same rule without its parts about versions, for servers without versions.
    package var withoutVersions: LifecycleRule {
        LifecycleRule(
            xml: XMLTree(
                name: xml.name, text: xml.text,
                children: xml.children.filter { $0.name != "NoncurrentVersionExpiration" }))
    }

    /// Whether the rule does the same as `other`, even if its XML differs.
    package func means(_ other: LifecycleRule) -> Bool {
        isEnabled == other.isEnabled && prefix == other.prefix && isPartial == other.isPartial
            && expirationDays == other.expirationDays && expiresByDate == other.expiresByDate
            && noncurrentDays == other.noncurrentDays && abortDays == other.abortDays
    }
}
