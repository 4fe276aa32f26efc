/// The declared type of a parameter. The numbers are `pg_type.oid`.
package struct PostgresType: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    package static let bool = PostgresType(rawValue: 16)
    package static let bytea = PostgresType(rawValue: 17)
    package static let int8 = PostgresType(rawValue: 20)
    package static let int2 = PostgresType(rawValue: 21)
    package static let int4 = PostgresType(rawValue: 23)
    package static let text = PostgresType(rawValue: 25)
    package static let float8 = PostgresType(rawValue: 701)
    package static let date = PostgresType(rawValue: 1082)
    package static let timestamptz = PostgresType(rawValue: 1184)
    package static let interval = PostgresType(rawValue: 1186)
    package static let uuid = PostgresType(rawValue: 2950)
    package static let jsonb = PostgresType(rawValue: 3802)

    static let boolArray = PostgresType(rawValue: 1000)
    static let byteaArray = PostgresType(rawValue: 1001)
    static let int2Array = PostgresType(rawValue: 1005)
    static let int4Array = PostgresType(rawValue: 1007)
    static let textArray = PostgresType(rawValue: 1009)
    static let int8Array = PostgresType(rawValue: 1016)
    static let float8Array = PostgresType(rawValue: 1022)
    static let dateArray = PostgresType(rawValue: 1182)
    static let timestamptzArray = PostgresType(rawValue: 1185)
    static let intervalArray = PostgresType(rawValue: 1187)
    static let uuidArray = PostgresType(rawValue: 2951)
    static let jsonbArray = PostgresType(rawValue: 3807)

    /// The type of an array of these elements; 0, which lets the server infer it, when it is not listed here.
    var array: PostgresType {
        switch self {
        case .bool: .boolArray
        case .bytea: .byteaArray
        case .int2: .int2Array
        case .int4: .int4Array
        case .int8: .int8Array
        case .text: .textArray
        case .float8: .float8Array
        case .date: .dateArray
        case .timestamptz: .timestamptzArray
        case .interval: .intervalArray
        case .uuid: .uuidArray
        case .jsonb: .jsonbArray
        default: PostgresType(rawValue: 0)
        }
    }
}

/// A value as it is sent to the server: NULL, PostgreSQL's text form, or raw bytes (`bytea` only).
package enum PostgresValue: Sendable, Equatable {
    case null
    case text(String)
    case bytes([UInt8])

    /// Refuses a NUL character in a text: libpq ends text at the first NUL and would silently cut the value short.
    var bindValue: PostgresBind.Value {
        get throws(PostgresError) {
            switch self {
            case .null: return .null
            case .bytes(let bytes): return .binary(bytes)
            case .text(let text):
                if text.utf8.contains(0) { throw .nulInText }
                return .text(text)
            }
        }
    }

    /// PostgreSQL's text form of an element in an array.
    var elementText: String? {
        switch self {
        case .null: nil
        case .text(let text): text
        case .bytes(let bytes): Bytea.text(bytes)
        }
    }
}

/// A value that may be interpolated into `SQL`.
package protocol PostgresEncodable: Sendable {
    static var postgresType: PostgresType { get }
    func postgresValue() throws(PostgresError) -> PostgresValue

    /// The type and value of an array of these. Only `UInt8` overrides the default: an array of bytes is `bytea`.
    static var postgresArrayType: PostgresType { get }
    static func postgresArrayValue(_ elements: [Self]) throws(PostgresError) -> PostgresValue
}

/// A value that may be read from a column.
package protocol PostgresDecodable: Sendable {
    /// - Parameter field: holds PostgreSQL's text form, or nil for NULL.
    static func decodePostgres(_ field: PostgresField) throws(PostgresError) -> Self
    static func decodePostgresArray(_ field: PostgresField) throws(PostgresError) -> [Self]
}

package typealias PostgresCodable = PostgresEncodable & PostgresDecodable

/// One column of one row.
package struct PostgresField: Sendable {
    package let column: String
    package let type: PostgresType
    /// Nil for NULL.
    package let text: String?

    package init(column: String, type: PostgresType, text: String?) {
        self.column = column
        self.type = type
        self.text = text
    }

    /// The text. Throws when the field is NULL.
    package func require<Value>(_: Value.Type) throws(PostgresError) -> String {
        guard let text else { throw .decoding("column \"\(column)\" is NULL, not a \(Value.self)") }
        return text
    }

    /// An error with the column's name and the types, and without the value.
    package func mismatch<Value>(_: Value.Type) -> PostgresError {
        .decoding("column \"\(column)\" (type \(type.rawValue)) does not hold a \(Value.self)")
    }
}

extension PostgresEncodable {
    package static var postgresArrayType: PostgresType { postgresType.array }

    package static func postgresArrayValue(_ elements: [Self]) throws(PostgresError) -> PostgresValue {
        var texts: [String?] = []
        texts.reserveCapacity(elements.count)
        for element in elements { texts.append(try element.postgresValue().elementText) }
        return .text(ArrayText.encode(texts))
    }
}

extension PostgresDecodable {
    package static func decodePostgresArray(_ field: PostgresField) throws(PostgresError) -> [Self] {
        guard let texts = ArrayText.decode(try field.require([Self].self)) else {
            throw field.mismatch([Self].self)
        }
        var elements: [Self] = []
        elements.reserveCapacity(texts.count)
        for text in texts {
            let element = PostgresField(column: field.column, type: field.type, text: text)
            elements.append(try decodePostgres(element))
        }
        return elements
    }
}

extension Optional: PostgresEncodable where Wrapped: PostgresEncodable {
    package static var postgresType: PostgresType { Wrapped.postgresType }

    package func postgresValue() throws(PostgresError) -> PostgresValue {
        switch self {
        case .none: .null
        case .some(let value): try value.postgresValue()
        }
    }
}

extension Optional: PostgresDecodable where Wrapped: PostgresDecodable {
    package static func decodePostgres(_ field: PostgresField) throws(PostgresError) -> Wrapped? {
        field.text == nil ? nil : try Wrapped.decodePostgres(field)
    }
}

extension Array: PostgresEncodable where Element: PostgresEncodable {
    package static var postgresType: PostgresType { Element.postgresArrayType }

    package func postgresValue() throws(PostgresError) -> PostgresValue {
        try Element.postgresArrayValue(self)
    }
}

extension Array: PostgresDecodable where Element: PostgresDecodable {
    package static func decodePostgres(_ field: PostgresField) throws(PostgresError) -> [Element] {
        try Element.decodePostgresArray(field)
    }
}

/// Typed ids: `struct UserID: RawRepresentable, Hashable, Sendable, PostgresCodable { let rawValue: UUID }`.
extension PostgresEncodable where Self: RawRepresentable, RawValue: PostgresEncodable {
    package static var postgresType: PostgresType { RawValue.postgresType }

    package func postgresValue() throws(PostgresError) -> PostgresValue { try rawValue.postgresValue() }
}

extension PostgresDecodable where Self: RawRepresentable, RawValue: PostgresDecodable {
    package static func decodePostgres(_ field: PostgresField) throws(PostgresError) -> Self {
        guard let value = Self(rawValue: try RawValue.decodePostgres(field)) else {
            throw field.mismatch(Self.self)
        }
        return value
    }
}
