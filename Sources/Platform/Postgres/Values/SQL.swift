/// A statement and its parameters, written as one literal: `"SELECT id FROM users WHERE phone = \(phone)"`.
///
/// Every interpolated value becomes a parameter (`$1`, `$2` …) of the PostgreSQL type for its Swift type, and never a
/// part of the text. `\(fragment: other)` inserts another `SQL` with its parameters; `\(identifier: name)` quotes a
/// name. An optional that is nil is NULL, an array is an array (`= ANY(\(ids))`), `[UInt8]` is `bytea`, a `Duration` is
/// an `interval` (`now() + \(lease)`). If PostgreSQL wants a narrower type than the declared one (`Int` is `bigint`),
/// cast: `\(days)::integer`.
package struct SQL: Sendable, Equatable, ExpressibleByStringInterpolation {
    /// The pieces of text around the parameters: one more than there are parameters.
    private(set) var parts: [String]
    private(set) var binds: [PostgresBind]

    package init(stringLiteral value: String) {
        parts = [value]
        binds = []
    }

    /// Text that is not a literal, such as the content of a file. The caller must trust it.
    package init(unchecked text: String) {
        parts = [text]
        binds = []
    }

    package init(stringInterpolation: Interpolation) {
        parts = stringInterpolation.parts
        binds = stringInterpolation.binds
    }

    /// The statement as it is sent to PostgreSQL, with `$n` in place of the parameters.
    package var text: String {
        var text = parts[0]
        for index in binds.indices {
            text += "$\(index + 1)"
            text += parts[index + 1]
        }
        return text
    }

    /// Joins fragments with a separator, for example conditions with " AND ".
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

        /// The same for optionals, so that the compiler does not warn about an interpolated optional.
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

/// A parameter as it is sent to the server.
struct PostgresBind: Sendable, Equatable {
    enum Value: Sendable, Equatable {
        case null
        case text(String)
        case binary([UInt8])
        /// The value cannot be sent. Interpolation cannot throw, so the error is thrown when the statement runs.
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
