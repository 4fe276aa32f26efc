/// A statement and its parameters, written as one literal: `"SELECT id FROM users WHERE phone = \(phone)"`.
///
/// Every interpolated value becomes a parameter (`$1`, `$2` …) of the PostgreSQL type its Swift type stands for,
/// never part of the text. `\(fragment: other)` splices another `SQL` with its parameters; `\(identifier: name)`
/// quotes a name. An optional that is nil is NULL, an array is an array (`= ANY(\(ids))`), `[UInt8]` is `bytea`.
/// Where PostgreSQL wants a narrower type than the one declared (`Int` is `bigint`), cast: `\(days)::integer`.
package struct SQL: Sendable, Equatable, ExpressibleByStringInterpolation {
    /// The text between the parameters: one more than there are parameters.
    private(set) var parts: [String]
    private(set) var binds: [PostgresBind]

    package init(stringLiteral value: String) {
        parts = [value]
        binds = []
    }

    /// Text that was not written as a literal, such as a file's. The caller vouches for it.
    package init(unchecked text: String) {
        parts = [text]
        binds = []
    }

    package init(stringInterpolation: Interpolation) {
        parts = stringInterpolation.parts
        binds = stringInterpolation.binds
    }

    /// The statement as PostgreSQL gets it, with `$n` in the parameters' places.
    package var text: String {
        var text = parts[0]
        for index in binds.indices {
            text += "$\(index + 1)"
            text += parts[index + 1]
        }
        return text
    }

    /// One fragment after another, e.g. conditions `joined(by: " AND ")`.
    package static func joined(_ fragments: [SQL], by separator: String) -> SQL {
        var result = Interpolation(literalCapacity: 0, interpolationCount: 0)
        for (index, fragment) in fragments.enumerated() {
            if index > 0 { result.appendLiteral(separator) }
            result.appendInterpolation(fragment: fragment)
        }
        return SQL(stringInterpolation: result)
    }

    package struct Interpolation: StringInterpolationProtocol {
        fileprivate var parts: [String] = [""]
        fileprivate var binds: [PostgresBind] = []

        package init(literalCapacity: Int, interpolationCount: Int) {
            parts.reserveCapacity(interpolationCount + 1)
            binds.reserveCapacity(interpolationCount)
        }

        package mutating func appendLiteral(_ literal: String) {
            parts[parts.count - 1] += literal
        }

        package mutating func appendInterpolation<Value: PostgresEncodable>(_ value: Value) {
            binds.append(PostgresBind(value))
            parts.append("")
        }

        /// The same; said for optionals so that the compiler does not take nil for an oversight.
        package mutating func appendInterpolation<Value: PostgresEncodable>(_ value: Value?) {
            binds.append(PostgresBind(value))
            parts.append("")
        }

        package mutating func appendInterpolation(fragment: SQL) {
            parts[parts.count - 1] += fragment.parts[0]
            parts += fragment.parts.dropFirst()
            binds += fragment.binds
        }

        package mutating func appendInterpolation(identifier: String) {
            parts[parts.count - 1] += "\"" + identifier.replacing("\"", with: "\"\"") + "\""
        }
    }
}

/// A parameter as it goes to the server.
struct PostgresBind: Sendable, Equatable {
    enum Value: Sendable, Equatable {
        case null
        case text(String)
        case binary([UInt8])
        /// Found unfit while interpolating, which cannot throw: thrown when the statement is run.
        case refused(PostgresError)
    }

    let type: PostgresType
    let value: Value

    init<Encoded: PostgresEncodable>(_ encoded: Encoded) {
        type = Encoded.postgresType
        do {
            value = try encoded.postgresValue().bindValue
        } catch {
            value = .refused(error)
        }
    }
}
