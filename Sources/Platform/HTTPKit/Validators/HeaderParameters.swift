/// A header's value with parameters: `form-data; name="file"` (RFC 9110, 5.6.6).
struct HeaderParameters {
    /// In lower case.
    private(set) var value: String
    private var parameters: [String: String] = [:]

    subscript(_ name: String) -> String? { parameters[name] }

    /// - Returns: nil for a field that violates the grammar or has a parameter twice.
    init?(_ field: String) {
        var rest = field[...]
        value = rest.prefix { $0 != ";" }.trimmingWhitespace.lowercased()
        guard !value.isEmpty else { return nil }
        rest = rest.drop { $0 != ";" }
        while !rest.isEmpty {
            rest = rest.dropFirst().drop { $0 == " " || $0 == "\t" }
            if rest.isEmpty { break }
            let name = rest.prefix { $0 != "=" && $0 != ";" }.trimmingWhitespace.lowercased()
            rest = rest.drop { $0 != "=" && $0 != ";" }
            guard !name.isEmpty, rest.first == "=" else { return nil }
            rest = rest.dropFirst()
            guard let text = Self.parameterValue(&rest), parameters.updateValue(text, forKey: name) == nil
            else {
                return nil
            }
        }
    }

    /// Reads a value and leaves `rest` at the next `;` or at its end.
    private static func parameterValue(_ rest: inout Substring) -> String? {
        guard rest.first == "\"" else {
            let token = rest.prefix { $0 != ";" }
            rest = rest.dropFirst(token.count)
            return String(token.trimmingWhitespace)
        }
        rest = rest.dropFirst()
        var text = ""
        while let character = rest.popFirst() {
            switch character {
            case "\"":
                rest = rest.drop { $0 == " " || $0 == "\t" }
                return rest.isEmpty || rest.first == ";" ? text : nil
            case "\\":
                guard let escaped = rest.popFirst() else { return nil }
                text.append(escaped)
            default:
                text.append(character)
            }
        }
        return nil
    }
}
