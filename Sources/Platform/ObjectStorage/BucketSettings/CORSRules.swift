/// The rules that decide which web pages' scripts may read the bucket's objects (CORS). Rules of other programs keep all
/// of their elements.
package struct CORSRules: Sendable, Hashable {
    package var rules: [CORSRule]

    package init(_ rules: [CORSRule] = []) {
        self.rules = rules
    }

    init(xml: XMLTree) {
        rules = xml.all("CORSRule").map(CORSRule.init(xml:))
    }

    var xml: XMLTree { XMLTree(name: BucketPart.cors.root, children: rules.map(\.xml)) }

    /// The same rules with `rule` in place of the rule of the same name, or at the end.
    package func replacing(_ rule: CORSRule) -> CORSRules {
        CORSRules(rules.filter { $0.id != rule.id } + [rule])
    }
}

/// One rule of a ``CORSRules``.
package struct CORSRule: Sendable, Hashable {
    let xml: XMLTree

    init(xml: XMLTree) {
        self.xml = xml
    }

    package init(
        id: String, origins: [String], methods: [String], headers: [String], exposed: [String], maxAge: Int
    ) {
        func elements(_ name: String, _ texts: [String]) -> [XMLTree] {
            texts.map { XMLTree(name: name, text: $0) }
        }
        xml = XMLTree(
            name: "CORSRule",
            children: elements("ID", [id]) + elements("AllowedOrigin", origins)
                + elements("AllowedMethod", methods) + elements("AllowedHeader", headers)
                + elements("ExposeHeader", exposed) + elements("MaxAgeSeconds", [String(maxAge)]))
    }

    package var id: String? { xml["ID"] }
    package var origins: Set<String> { texts("AllowedOrigin") }
    package var methods: Set<String> { texts("AllowedMethod") }
    package var headers: Set<String> { texts("AllowedHeader") }
    package var exposed: Set<String> { texts("ExposeHeader") }

    private func texts(_ name: String) -> Set<String> { Set(xml.all(name).map(\.text)) }

    /// Whether the rule allows everything that `other` allows. Names of header fields are compared without case.
    package func allows(_ other: CORSRule) -> Bool {
        func lowercased(_ names: Set<String>) -> Set<String> { Set(names.map { $0.lowercased() }) }
        func holds(_ mine: Set<String>, _ theirs: Set<String>) -> Bool {
            mine.contains("*") || lowercased(mine).isSuperset(of: lowercased(theirs))
        }
        return holds(origins, other.origins) && methods.isSuperset(of: other.methods)
            && holds(headers, other.headers) && holds(exposed, other.exposed)
    }
}
