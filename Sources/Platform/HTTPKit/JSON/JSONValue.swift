import Foundation

/// A JSON value without a type of its own, for the extension members of a problem.
package enum JSONValue: Sendable, Equatable, Encodable, JSONWritable {
    case string(String)
    case int(Int)
    case bool(Bool)
    case null
    case array([JSONValue])
    case object([String: JSONValue])
    /// The text of a value that was written already: `array(writing:)`.
    case written(String)

    /// An array whose elements become text one by one, because together they would take many times as much memory as values.
    ///
    /// - Parameter body: calls its argument with each element.
    package static func array(
        writing body: (_ add: (JSONValue) -> Void) throws -> Void
    ) rethrows -> JSONValue {
        var json = JSONWriter(capacity: 16_384)
        try json.array { json in try body { $0.write(to: &json) } }
        return .written(String(buffer: json.buffer))
    }

    /// A point in time as in answers: RFC 3339, UTC, whole seconds, rounded down.
    package static func date(_ date: Date) -> JSONValue {
        .string(WireJSON.timestamp(date))
    }

    /// A point in time, rounded up, so that a client that waits until then does not come too early.
    package static func dateRoundedUp(_ date: Date) -> JSONValue {
        .date(Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded(.up)))
    }

    func write(to json: inout JSONWriter) {
        switch self {
        case .string(let value): json.string(value)
        case .int(let value): json.literal(String(value))
        case .bool(let value): json.literal(value ? "true" : "false")
        case .null: json.literal("null")
        case .array(let values): json.array(values)
        case .object(let members): json.object(members)
        case .written(let text): json.literal(text)
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .string(let value): try container.encode(value)
        case .int(let value): try container.encode(value)
        case .bool(let value): try container.encode(value)
        case .null: try container.encodeNil()
        case .array(let values): try container.encode(values)
        case .object(let members): try container.encode(members)
        case .written:
            throw EncodingError.invalidValue(
                self, .init(codingPath: encoder.codingPath, debugDescription: "is for `write(to:)` only"))
        }
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral {
    package init(stringLiteral value: String) { self = .string(value) }
    package init(integerLiteral value: Int) { self = .int(value) }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension JSONValue: ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
    package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    package init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(Dictionary(elements) { _, last in last })
    }
}
