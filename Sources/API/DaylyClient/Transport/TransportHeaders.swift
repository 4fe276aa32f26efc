/// Header fields by their names, whose case does not count. Each name has one value.
public struct TransportHeaders: Sendable, Equatable, ExpressibleByDictionaryLiteral {
    /// By lower-case name.
    private var fields: [String: String] = [:]

    public init() {}

    public init(dictionaryLiteral elements: (String, String)...) {
        for (name, value) in elements { self[name] = value }
    }

    public subscript(name: String) -> String? {
        get { fields[name.lowercased()] }
        set { fields[name.lowercased()] = newValue }
    }

    /// The fields in the order of their names, which are in lower case.
    public var all: [(name: String, value: String)] {
        fields.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
    }
}
