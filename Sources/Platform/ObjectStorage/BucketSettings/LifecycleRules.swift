/// A bucket's lifecycle configuration: what the server itself deletes, and when. Rules of others keep everything
/// they hold.
package struct LifecycleRules: Sendable, Hashable {
    package var rules: [LifecycleRule]

    package init(_ rules: [LifecycleRule] = []) {
        self.rules = rules
    }

    init(xml: XMLTree) {
        rules = xml.all("Rule").map(LifecycleRule.init(xml:))
    }

    var xml: XMLTree { XMLTree(name: BucketPart.lifecycle.root, children: rules.map(\.xml)) }

    /// The same with `rule` in the place of the one of its name, or at the end.
    package func replacing(_ rule: LifecycleRule) -> LifecycleRules {
        LifecycleRules(rules.filter { $0.id != rule.id } + [rule])
    }
}

/// One rule of a ``LifecycleRules``.
package struct LifecycleRule: Sendable, Hashable {
    /// The document that the server holds, or is to hold.
    let xml: XMLTree

    init(xml: XMLTree) {
        self.xml = xml
    }

    /// A rule for everything under `prefix`, in days; `nil` leaves a part out.
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

    /// Which keys it is about; empty: all of them.
    package var prefix: String {
        let filter = xml.all("Filter").first
        return xml["Prefix"] ?? filter?["Prefix"] ?? filter?.all("And").first?["Prefix"] ?? ""
    }

    /// Whether it is about tagged objects only.
    package var isForTags: Bool {
        filters.contains { !$0.all("Tag").isEmpty }
    }

    /// Whether it leaves out some of what is under its prefix.
    package var isPartial: Bool {
        isForTags
            || filters.contains { $0["ObjectSizeGreaterThan"] != nil || $0["ObjectSizeLessThan"] != nil }
    }

    private var filters: [XMLTree] { xml.all("Filter").flatMap { [$0] + $0.all("And") } }

    /// After how many days it deletes.
    package var expirationDays: Int? { days("Expiration", "Days") }

    /// Whether it deletes everything from a date on.
    package var expiresByDate: Bool { xml.all("Expiration").first?["Date"] != nil }

    /// After how many days it deletes what a newer version or a marker hides.
    package var noncurrentDays: Int? { days("NoncurrentVersionExpiration", "NoncurrentDays") }

    /// After how many days it ends multipart uploads that were never completed.
    package var abortDays: Int? { days("AbortIncompleteMultipartUpload", "DaysAfterInitiation") }

    private func days(_ part: String, _ unit: String) -> Int? {
        xml.all(part).first?[unit].flatMap { Int($0) }
    }

    /// The same without what it says of versions, for servers that know none.
    package var withoutVersions: LifecycleRule {
        LifecycleRule(
            xml: XMLTree(
                name: xml.name, text: xml.text,
                children: xml.children.filter { $0.name != "NoncurrentVersionExpiration" }))
    }

    /// Whether it does the same as `other`, however it is written.
    package func means(_ other: LifecycleRule) -> Bool {
        isEnabled == other.isEnabled && prefix == other.prefix && isPartial == other.isPartial
            && expirationDays == other.expirationDays && expiresByDate == other.expiresByDate
            && noncurrentDays == other.noncurrentDays && abortDays == other.abortDays
    }
}
