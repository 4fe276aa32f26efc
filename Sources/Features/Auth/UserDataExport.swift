import Foundation
import HTTPKit
import Postgres

/// What a feature keeps about a user, for the export of their data: members of one JSON object, each the rows of a
/// table, whose members are named like its columns.
///
/// Left out is what is not about the user: keys and hashes, other people's ids where they say what those have done,
/// and that somebody has blocked the user.
package typealias UserDataExport = @Sendable (PostgresTransaction, UserProfile) throws -> [String: JSONValue]

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

extension UserStore {
    /// What this feature keeps: the profile, the sessions, and the codes that were asked for.
    static func export(_ tx: PostgresTransaction, _ user: UserProfile) throws -> [String: JSONValue] {
        let profile = try tx.first(
            """
            SELECT id, phone_number, first_name, time_zone, time_zone_changed_at, discoverable, quiet_from,
                quiet_to, last_active_on, created_at
            FROM users
            WHERE id = \(user.id)
            """)
        guard let profile else { throw AuthError.userGone }
        return [
            "user": .object(try profile.exported()),
            "sessions": try SessionStore.export(tx, user),
            "verifications": try VerificationStore.export(tx, user),
        ]
    }
}

extension SessionStore {
    /// Without the nonce that refresh tokens are made from.
    fileprivate static func export(_ tx: PostgresTransaction, _ user: UserProfile) throws -> JSONValue {
        try tx.exported(
            """
            SELECT id, device_name, generation, rotated_at, created_at, last_used_at, expires_at, ended_at
            FROM sessions
            WHERE user_id = \(user.id)
            ORDER BY created_at, id
            """)
    }
}

extension VerificationStore {
    /// Without what is kept of the code.
    fileprivate static func export(_ tx: PostgresTransaction, _ user: UserProfile) throws -> JSONValue {
        try tx.exported(
            """
            SELECT id, phone_number, attempts, created_at, expires_at, used_at
            FROM verifications
            WHERE phone_number = \(user.phoneNumber)
            ORDER BY created_at, id
            """)
    }
}
