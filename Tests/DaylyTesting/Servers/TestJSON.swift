/// Any JSON of an answer.
package enum TestJSON: Decodable, Equatable {
    case null
    case bool(Bool)
    case number(Double)
    case text(String)
    case array([TestJSON])
    case object([String: TestJSON])

    package init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let bool = try? value.decode(Bool.self) {
            self = .bool(bool)
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else if let text = try? value.decode(String.self) {
            self = .text(text)
        } else if let array = try? value.decode([TestJSON].self) {
            self = .array(array)
        } else {
            self = .object(try value.decode([String: TestJSON].self))
        }
    }

    /// A member of an object or an element of an array.
    package subscript(_ step: String) -> TestJSON? {
        switch self {
        case .array(let array): Int(step).flatMap { array.indices.contains($0) ? array[$0] : nil }
        case .object(let members): members[step]
        default: nil
        }
    }

    package var elements: [TestJSON] { if case .array(let all) = self { all } else { [] } }

    package var text: String {
        switch self {
        case .null: "null"
        case .bool(let bool): "\(bool)"
        case .number(let number): Int(exactly: number).map { "\($0)" } ?? "\(number)"
        case .text(let text): text
        case .array(let array): "[" + array.map(\.text).joined(separator: ", ") + "]"
        case .object(let members): "{\(members.keys.sorted().joined(separator: ", "))}"
        }
    }
}

extension HTTPAnswer {
    package func json(_ path: String...) -> TestJSON? { json(path) }

    private func json(_ path: [String]) -> TestJSON? {
        path.reduce(try? decode(TestJSON.self)) { $0?[$1] }
    }

    /// A member at any depth, as text: `text("now", "day", "points")`. `null` is "null".
    package func text(_ path: String...) -> String { json(path)?.text ?? "missing" }

    /// The texts of one member of each element of an array.
    package func texts(_ list: String, _ member: String) -> [String] {
        json([list])?.elements.map { $0[member]?.text ?? "missing" } ?? []
    }
}
