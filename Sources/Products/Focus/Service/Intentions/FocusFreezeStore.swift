import FeatureKit
import FocusRules
import Foundation
import Postgres

enum FocusFreezeTag {}
typealias FocusFreezeID = ID<FocusFreezeTag>

/// SQL about `focus_freezes`. The primary key allows one a week.
enum FocusFreezeStore {
    /// - Throws: `FocusError.freezeUnavailable` if the user has taken this week's.
    static func insert(_ tx: PostgresTransaction, _ id: FocusFreezeID, of member: FocusMember) throws {
        let taken = try tx.execute(
            """
            INSERT INTO focus_freezes (user_id, week, day, id)
            VALUES (
                \(member.user), DATE '1970-01-01' + \(monday(of: member.today))::integer,
                DATE '1970-01-01' + \(member.today)::integer, \(id)
            )
            ON CONFLICT (user_id, week) DO NOTHING
            """)
        guard taken > 0 else { throw FocusError.freezeUnavailable }
    }

    /// - Throws: `FocusError.notFound`.
    static func requireDay(_ tx: PostgresTransaction, _ id: FocusFreezeID, of user: UserID) throws
        -> DayNumber
    {
        let row = try tx.first(
            """
            SELECT day - DATE '1970-01-01' AS day FROM focus_freezes WHERE user_id = \(user) AND id = \(id)
            """)
        guard let row else { throw FocusError.notFound }
        return try row.get("day")
    }

    /// The frozen days from the given one on.
    static func days(
        _ tx: PostgresTransaction, of user: UserID, from day: DayNumber
    ) throws -> Set<DayNumber> {
        let rows = try tx.query(
            """
            SELECT day - DATE '1970-01-01' AS day FROM focus_freezes
            WHERE user_id = \(user) AND day >= DATE '1970-01-01' + \(day)::integer
            """)
        return Set(try rows.map { try $0.get("day") })
    }

    /// Whether the user has frozen today.
    static func isFrozen(_ tx: PostgresTransaction, _ member: FocusMember) throws -> Bool {
        try days(tx, of: member.user, from: member.today).contains(member.today)
    }
}
