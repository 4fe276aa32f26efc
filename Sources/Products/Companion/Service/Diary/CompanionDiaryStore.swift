import CompanionRules
import DeviceIntake
import FeatureKit
import Foundation
import HTTPKit
import Postgres

/// SQL about `companion_diary`. Entries are written under the lock of the owner's settings.
enum CompanionDiaryStore {
    /// The place of an entry in the diary, which is sorted by time, then id.
    struct Place: Sendable {
        let at: Instant
        let id: UUID
    }

    /// The numbers of the last texts that a pool gave, whichever days they are about.
    static func lately(_ tx: PostgresTransaction, _ pool: DiaryPool, of user: UserID) throws -> [Int] {
        try tx.query(
            """
            SELECT number FROM companion_diary
            WHERE user_id = \(user) AND pool = \(pool.rawValue)
            ORDER BY ordinal DESC
            LIMIT \(DiaryChoice.remembered)
            """
        ).map { try $0.get("number") }
    }

    static func insert(_ tx: PostgresTransaction, _ entry: CompanionNewEntry, of user: UserID) throws {
        try tx.execute(
            """
            INSERT INTO companion_diary
                (user_id, ordinal, id, day, at, kind, band, pool, hp, number, text_en, text_de)
            SELECT \(user), next.ordinal, companion_entry_id(now(), next.ordinal),
                DATE '1970-01-01' + \(entry.day)::integer, to_timestamp(\(entry.at)::bigint), \(entry.kind.name),
                \(entry.kind.band?.rawValue)::smallint, \(entry.pool.rawValue), \(entry.hp)::smallint,
                \(entry.number)::smallint, \(entry.text.en), \(entry.text.de)
            FROM (
                SELECT coalesce(max(ordinal), 0) + 1 AS ordinal FROM companion_diary WHERE user_id = \(user)
            ) AS next
            """)
    }

    /// Entries after a place, newest first.
    static func page(
        _ tx: PostgresTransaction, of user: UserID, after place: Place?, limit: Int
    ) throws -> [CompanionEntryState] {
        let after: SQL =
            place.map { "AND (at, id) < (to_timestamp(\($0.at)::bigint), \($0.id))" } ?? ""
        return try tx.query(
            """
            SELECT id, day - DATE '1970-01-01' AS day, extract(epoch FROM at)::bigint AS at, kind, band, pool, hp, number,
                text_en, text_de
            FROM companion_diary
            WHERE user_id = \(user) \(fragment: after)
            ORDER BY at DESC, id DESC
            LIMIT \(limit)
            """
        ).map(CompanionEntryState.init)
    }

    static func export(_ tx: PostgresTransaction, _ user: UserID) throws -> [String: JSONValue] {
        [
            "diary": try tx.exported(
                """
                SELECT id, ordinal, day, at, kind, band, pool, hp, number, text_en, text_de
                FROM companion_diary WHERE user_id = \(user) ORDER BY ordinal
                """)
        ]
    }
}

extension CompanionEntryState {
    fileprivate init(_ row: PostgresRow) throws {
        let (name, band): (String, Int?) = (try row.get("kind"), try row.get("band"))
        let word = name == "band" ? "band.\(band ?? -1)" : name
        guard let kind = DiaryKind(drawWord: word) else {
            throw PostgresError.decoding("an entry of a diary has an unknown kind")
        }
        self.init(
            id: try row.get("id"), day: try row.get("day"), at: try row.get("at"), kind: kind,
            pool: try row.get("pool"), hp: try row.get("hp"), number: try row.get("number"),
            text: DiaryText(en: try row.get("text_en"), de: try row.get("text_de")))
    }
}
