/// AWS's four switches that prevent a bucket from becoming public by mistake.
package struct PublicAccessBlock: Sendable, Hashable {
    private static let names = [
        "BlockPublicAcls", "IgnorePublicAcls", "BlockPublicPolicy", "RestrictPublicBuckets",
    ]

    /// All four switches on.
    package static let complete = PublicAccessBlock(Set(names))

    /// The names of the switches that are on.
    package let switches: Set<String>

    /// Whether all four switches are on, so that nothing can become public.
    package var isComplete: Bool { switches.isSuperset(of: Self.names) }

    /// - Parameter switches: the names of the switches to turn on.
    package init(_ switches: Set<String> = []) {
        self.switches = switches
    }

    init(xml: XMLTree) {
        switches = Set(Self.names.filter { xml[$0]?.lowercased() == "true" })
    }

    var xml: XMLTree {
        XMLTree(
            name: BucketPart.publicAccessBlock.root,
            children: Self.names.map { XMLTree(name: $0, text: switches.contains($0) ? "true" : "false") })
    }
}
