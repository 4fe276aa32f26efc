import FeatureKit
import FocusRules
import Foundation
import Postgres

/// SQL about `focus_partners`. The asking user's transaction holds the lock of their profile and of both users' rows.
enum FocusPartnerStore {
    /// A user's partners and open requests.
    static func partners(_ tx: PostgresTransaction, of user: UserID) throws -> [FocusPartnerState] {
        try tx.query(
            """
            SELECT p.partner_id AS person, \(fragment: columns)
            FROM focus_partners p JOIN users u ON u.id = p.partner_id
            WHERE p.user_id = \(user) AND \(fragment: unblocked)
            ORDER BY since, person
            """
        ).map { try FocusPartnerState($0) }
    }

    /// The users who have the given one as their partner, or ask for it, with their breaks of the last 7 days.
    static func partnerOf(_ tx: PostgresTransaction, _ user: UserID) throws -> [FocusPartnerState] {
        let breaks = try breaks(tx, seenBy: user)
        return try tx.query(
            """
            SELECT p.user_id AS person, \(fragment: columns)
            FROM focus_partners p JOIN users u ON u.id = p.user_id
            WHERE p.partner_id = \(user) AND \(fragment: unblocked)
            ORDER BY since, person
            """
        ).map { row in
            var state = try FocusPartnerState(row)
            state.breaks = breaks[state.person] ?? []
            return state
        }
    }

    /// A day belongs to the last seven by the local day of its user.
    private static func breaks(
        _ tx: PostgresTransaction, seenBy partner: UserID
    ) throws -> [UserID: [FocusPartnerBreak]] {
        let rows = try tx.query(
            """
            SELECT b.user_id, b.day - DATE '1970-01-01' AS day, b.streak
            FROM focus_partners p
            JOIN users u ON u.id = p.user_id
            JOIN focus_breaks b ON b.user_id = p.user_id AND b.day > local_day(now(), u.time_zone) - 7
            WHERE p.partner_id = \(partner) AND p.accepted_at IS NOT NULL
            ORDER BY b.day DESC, b.streak DESC
            """)
        return try rows.reduce(into: [:]) { breaks, row in
            let next = FocusPartnerBreak(day: try row.get("day"), streak: try row.get("streak"))
            breaks[try row.get("user_id"), default: []].append(next)
        }
    }

    /// The users who have agreed to be told of the user's breaks.
    static func accepted(_ tx: PostgresTransaction, of user: UserID) throws -> [UserID] {
        try tx.query(
            """
            SELECT p.partner_id FROM focus_partners p
            WHERE p.user_id = \(user) AND p.accepted_at IS NOT NULL AND \(fragment: unblocked)
            ORDER BY p.partner_id
            """
        ).map { try $0.get("partner_id") }
    }

    /// Whether the partner has agreed (true) or is asked (false); nil if neither.
    static func isAccepted(
        _ tx: PostgresTransaction, by partner: UserID, of user: UserID
    ) throws -> Bool? {
        try tx.first(
            """
            SELECT accepted_at IS NOT NULL AS is_accepted FROM focus_partners
            WHERE user_id = \(user) AND partner_id = \(partner)
            """)?.get("is_accepted")
    }

    /// Open requests are counted too. The count is right only while the user's profile is locked.
    static func count(_ tx: PostgresTransaction, of user: UserID) throws -> Int {
        try tx.one("SELECT count(*) AS count FROM focus_partners WHERE user_id = \(user)").get("count")
    }

    static func insert(_ tx: PostgresTransaction, _ partner: UserID, of user: UserID) throws {
        try tx.execute("INSERT INTO focus_partners (user_id, partner_id) VALUES (\(user), \(partner))")
    }

    /// - Returns: false without a request.
    static func accept(_ tx: PostgresTransaction, by partner: UserID, of user: UserID) throws -> Bool {
        try tx.execute(
            """
            UPDATE focus_partners SET accepted_at = coalesce(accepted_at, now())
            WHERE user_id = \(user) AND partner_id = \(partner)
            """) > 0
    }

    /// Ends the partnerships and requests between two users, in both directions.
    static func end(_ tx: PostgresTransaction, between one: UserID, and other: UserID) throws {
        try tx.execute(
            """
            DELETE FROM focus_partners
            WHERE (user_id, partner_id) IN ((\(one), \(other)), (\(other), \(one)))
            """)
    }

    /// Ends the partnerships and requests of a user with people who share no group with the user any more.
    ///
    /// It locks them first: if two people leave their last two groups at the same moment, the later statement sees both
    /// ends.
    static func endWithoutGroup(_ tx: PostgresTransaction, of user: UserID) throws {
        try tx.execute(
            """
            SELECT FROM focus_partners WHERE user_id = \(user) OR partner_id = \(user)
            ORDER BY user_id, partner_id FOR UPDATE
            """)
        try tx.execute(
            """
            DELETE FROM focus_partners p
            WHERE (p.user_id = \(user) OR p.partner_id = \(user)) AND NOT EXISTS (
                SELECT FROM group_members a
                JOIN group_members b ON b.group_id = a.group_id
                WHERE a.user_id = p.user_id AND b.user_id = p.partner_id
            )
            """)
    }

    /// Deletes breaks that no partner sees any more.
    ///
    /// - Returns: the number of deleted breaks.
    static func deleteOldBreaks(_ postgres: PostgresClient) async throws -> Int {
        try await postgres.executeInBatches(of: 500) { batch in
            """
            DELETE FROM focus_breaks WHERE (user_id, day, intention_id) IN (
                SELECT user_id, day, intention_id FROM focus_breaks
                WHERE day < (now() AT TIME ZONE 'UTC')::date - 9 LIMIT \(batch) FOR UPDATE SKIP LOCKED
            )
            """
        }
    }

    private static let unblocked = FocusBlockStore.none(between: "p.user_id", and: "p.partner_id")

    private static let columns: SQL = """
        u.first_name, p.accepted_at IS NOT NULL AS is_accepted, coalesce(p.accepted_at, p.asked_at) AS since
        """
}

extension FocusPartnerState {
    init(_ row: PostgresRow) throws {
        self.init(
            person: try row.get("person"), firstName: try row.get("first_name"),
            isAccepted: try row.get("is_accepted"), since: try row.get("since"))
    }
}
