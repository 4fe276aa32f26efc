import Foundation

extension String: PostgresCodable {
    package static var postgresType: PostgresType { .text }

    package func postgresValue() throws(PostgresError) -> PostgresValue { .text(self) }

    /// A column of any type may be read as a string: it gives PostgreSQL's text form.
    package static func decodePostgres(_ field: PostgresField) throws(PostgresError) -> String {
        try field.require(String.self)
    }
}

extension PostgresDecodable where Self: FixedWidthInteger {
    package static func decodePostgres(_ field: PostgresField) throws(PostgresError) -> Self {
        guard let value = Self(try field.require(Self.self)) else { throw field.mismatch(Self.self) }
        return value
    }
}

extension PostgresEncodable where Self: FixedWidthInteger {
    package func postgresValue() throws(PostgresError) -> PostgresValue { .text(String(self)) }
}

extension Int: PostgresCodable {
    package static var postgresType: PostgresType { .int8 }
}

extension Int64: PostgresCodable {
    package static var postgresType: PostgresType { .int8 }
}

extension Int32: PostgresCodable {
    package static var postgresType: PostgresType { .int4 }
}

extension Int16: PostgresCodable {
    package static var postgresType: PostgresType { .int2 }
}

/// Makes `[UInt8]` a `bytea`. A single byte is a `smallint`.
extension UInt8: PostgresCodable {
    package static var postgresType: PostgresType { .int2 }
    package static var postgresArrayType: PostgresType { .bytea }

    package static func postgresArrayValue(_ elements: [UInt8]) throws(PostgresError) -> PostgresValue {
        .bytes(elements)
    }

    package static func decodePostgresArray(_ field: PostgresField) throws(PostgresError) -> [UInt8] {
        let text = try field.require([UInt8].self)
        guard field.type == .bytea || field.type == .byteaArray, let bytes = Bytea.bytes(text) else {
            throw field.mismatch([UInt8].self)
        }
        return bytes
    }
}

extension Double: PostgresCodable {
    package static var postgresType: PostgresType { .float8 }

    /// Swift's shortest form that reads back as the same number. PostgreSQL also accepts its `nan`, `inf` and `-inf`.
    package func postgresValue() throws(PostgresError) -> PostgresValue { .text(description) }

    package static func decodePostgres(_ field: PostgresField) throws(PostgresError) -> Double {
        guard let value = Double(try field.require(Double.self)) else { throw field.mismatch(Double.self) }
        return value
    }
}

extension Bool: PostgresCodable {
    package static var postgresType: PostgresType { .bool }

    package func postgresValue() throws(PostgresError) -> PostgresValue { .text(self ? "t" : "f") }

    package static func decodePostgres(_ field: PostgresField) throws(PostgresError) -> Bool {
        switch try field.require(Bool.self) {
        case "t": true
        case "f": false
        default: throw field.mismatch(Bool.self)
        }
    }
}

extension UUID: PostgresCodable {
    package static var postgresType: PostgresType { .uuid }

    package func postgresValue() throws(PostgresError) -> PostgresValue { .text(UUIDText.text(self)) }

    package static func decodePostgres(_ field: PostgresField) throws(PostgresError) -> UUID {
        guard let value = UUIDText.id(try field.require(UUID.self)) else {
            throw field.mismatch(UUID.self)
        }
        return value
    }
}

/// `timestamptz`, to the microsecond: finer fractions are rounded.
extension Date: PostgresCodable {
    package static var postgresType: PostgresType { .timestamptz }

    package func postgresValue() throws(PostgresError) -> PostgresValue {
        guard let text = Timestamp.text(self) else {
            throw .decoding("a Date beyond the years 1 to 9999 cannot be sent")
        }
        return .text(text)
    }

    package static func decodePostgres(_ field: PostgresField) throws(PostgresError) -> Date {
        guard let value = Timestamp.date(try field.require(Date.self)) else {
            throw field.mismatch(Date.self)
        }
        return value
    }
}

/// `interval`, to the microsecond: finer fractions are cut off. It counts seconds only, so that a length of
/// 86,400 s is 24 hours even where the clocks change.
extension Duration: PostgresEncodable {
    package static var postgresType: PostgresType { .interval }

    package func postgresValue() throws(PostgresError) -> PostgresValue {
        let (seconds, attoseconds) = components
        let micros = Digits.pad(Int(attoseconds.magnitude / 1_000_000_000_000), 6)
        return .text("\(self < .zero ? "-" : "")\(seconds.magnitude).\(micros) seconds")
    }
}

/// A value that is stored as `jsonb`.
package struct JSONB<Value: Codable & Sendable>: Sendable {
    package let value: Value

    package init(_ value: Value) { self.value = value }
}

extension JSONB: Equatable where Value: Equatable {}

extension JSONB: PostgresCodable {
    package static var postgresType: PostgresType { .jsonb }

    package func postgresValue() throws(PostgresError) -> PostgresValue {
        guard let json = try? JSONEncoder().encode(value) else {
            throw .decoding("a \(Value.self) cannot be written as JSON")
        }
        // JSON writes a NUL character as an escape, which jsonb cannot hold.
        var rest = Array(json)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\") else { continue }
            if rest.starts(with: "u0000".utf8) { throw .nulInText }
            rest = rest.dropFirst()
        }
        return .text(String(decoding: json, as: UTF8.self))
    }

    package static func decodePostgres(_ field: PostgresField) throws(PostgresError) -> JSONB<Value> {
        let text = try field.require(JSONB<Value>.self)
        guard let value = try? JSONDecoder().decode(Value.self, from: Data(text.utf8)) else {
            throw field.mismatch(JSONB<Value>.self)
        }
        return JSONB(value)
    }
}
