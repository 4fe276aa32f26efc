/// AWS's four switches that prevent a bucket from becoming public by mistake.
package struct PublicAccessBlock: Sendable, Hashable {
    package static let names = [
        "BlockPublicAcls", "IgnorePublicAcls", "BlockPublicPolicy", "RestrictPublicBuckets",
    ]

    /// The names of the switches that are on.
    let switches: Set<String>

    /// Whether all four switches are on, so that nothing can become public.
    package var isComplete: Bool { switches.isSuperset(of: Self.names) }

    /// All switches off.
    package init() {
        switches = []
    }

    init(xml: XMLTree) {
        switches = Set(Self.names.filter { xml[$0]?.lowercased() == "true" })
    }
}
