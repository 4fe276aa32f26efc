/// AWS's four switches against a bucket that somebody opens to the public by mistake.
package struct PublicAccessBlock: Sendable, Hashable {
    private static let names = [
        "BlockPublicAcls", "IgnorePublicAcls", "BlockPublicPolicy", "RestrictPublicBuckets",
    ]

    /// All of them on.
    package static let complete = PublicAccessBlock(Set(names))

    /// The names of those that are on.
    package let switches: Set<String>

    /// Whether nothing can be made public.
    package var isComplete: Bool { switches.isSuperset(of: Self.names) }

    /// - Parameter switches: those that are to be on.
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
