import Foundation
import HTTPKit
import Postgres

extension PostgresTransaction {
    /// The rows of a statement, its columns' names as members.
    package func exported(_ sql: SQL) throws -> JSONValue {
        .array(try query(sql).map { .object(try $0.exported()) })
    }
}

extension PostgresRow {
    /// The columns by their names: times as everywhere in answers, days as `YYYY-MM-DD`, bytes in hexadecimal.
    package func exported() throws -> [String: JSONValue] {
        var members: [String: JSONValue] = [:]
        for column in columns { members[column] = try get(column, as: ExportedValue.self).json }
        return members
    }
}

/// A column's value of any type that the schema has.
private struct ExportedValue: PostgresDecodable {
    let json: JSONValue

    static func decodePostgres(_ field: PostgresField) throws(PostgresError) -> ExportedValue {
        guard let text = field.text else { return ExportedValue(json: .null) }
        return switch field.type {
        case .bool: ExportedValue(json: .bool(try Bool.decodePostgres(field)))
        case .int2, .int4, .int8: ExportedValue(json: .int(try Int.decodePostgres(field)))
        case .timestamptz: ExportedValue(json: .date(try Date.decodePostgres(field)))
        case .bytea: ExportedValue(json: .string(String(text.dropFirst(2))))
        case .text, .uuid, .date: ExportedValue(json: .string(text))
        default: throw field.mismatch(ExportedValue.self)
        }
    }
}
