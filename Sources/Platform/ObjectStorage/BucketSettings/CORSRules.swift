/// The rules that decide which web pages' scripts may read the bucket's objects (CORS).
package struct CORSRules: Sendable, Hashable {
    package let rules: [CORSRule]

    package init(_ rules: [CORSRule] = []) {
        self.rules = rules
    }

    init(xml: XMLTree) {
        rules = xml.all("CORSRule").map(CORSRule.init(xml:))
    }
}

/// One rule of a ``CORSRules``.
package struct CORSRule: Sendable, Hashable {
    package var id: String?
    package let origins: Set<String>
    let methods: Set<String>
    let headers: Set<String>
    let exposed: Set<String>

    init(xml: XMLTree) {
        func texts(_ name: String) -> Set<String> { Set(xml.all(name).map(\.text)) }
        id = xml["ID"]
        origins = texts("AllowedOrigin")
        methods = texts("AllowedMethod")
        headers = texts("AllowedHeader")
        exposed = texts("ExposeHeader")
    }

    package init(origins: Set<String>, methods: Set<String>, headers: Set<String>, exposed: Set<String>) {
        self.origins = origins
        self.methods = methods
        self.headers = headers
        self.exposed = exposed
    }

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
