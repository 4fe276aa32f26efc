import FeatureKit
import FocusRules
import Foundation
import HTTPKit
import Postgres

/// SQL about `focus_follows`.
struct FocusFollowStore: Sendable {
    let postgres: PostgresClient

    func exists(_ tx: PostgresTransaction, by follower: UserID, of followed: UserID) throws -> Bool {
        try tx.first(
            "SELECT 1 AS one FROM focus_follows WHERE follower_id = \(follower) AND followed_id = \(followed)"
        )
            != nil
    }

    /// The follows that rest are counted too. The count is right only while the follower's profile is locked.
    func count(_ tx: PostgresTransaction, by follower: UserID) throws -> Int {
        try tx.first("SELECT count(*) AS count FROM focus_follows WHERE follower_id = \(follower)")?
            .get("count") ?? 0
    }

    func insert(_ tx: PostgresTransaction, by follower: UserID, of followed: UserID) throws {
        try tx.execute(
            "INSERT INTO focus_follows (follower_id, followed_id) VALUES (\(follower), \(followed))")
    }

    func delete(by follower: UserID, of followed: UserID) async throws {
        try await postgres.execute(
            "DELETE FROM focus_follows WHERE follower_id = \(follower) AND followed_id = \(followed)")
    }

    /// Ends the follows between the two, in either direction.
    func delete(_ tx: PostgresTransaction, between one: UserID, _ other: UserID) throws {
        try tx.execute(
            """
            DELETE FROM focus_follows
            WHERE (follower_id, followed_id) IN ((\(one), \(other)), (\(other), \(one)))
            """)
    }

    /// Whether one of the two follows the other.
    func exists(_ tx: PostgresTransaction, between one: UserID, _ other: UserID) throws -> Bool {
        try tx.first(
            """
            SELECT 1 AS one FROM focus_follows
            WHERE (follower_id, followed_id) IN ((\(one), \(other)), (\(other), \(one)))
            LIMIT 1
            """) != nil
    }

    /// The follow as its follower sees it, whether it rests or not.
    func find(_ tx: PostgresTransaction, by follower: UserID, of followed: UserID) throws -> FocusFollow? {
        try tx.first(
            """
            SELECT \(fragment: Self.columns)
            FROM focus_follows f
            \(fragment: Self.person("f.followed_id", seenBy: follower))
            WHERE f.follower_id = \(follower) AND f.followed_id = \(followed)
            """
        ).map(FocusFollow.init)
    }

    /// A page of the people on the other side, newest first, and one more if there are further ones. Follows that rest are left
    /// out.
    ///
    /// - Parameter before: the last entry of the page before.
    func page(
        _ tx: PostgresTransaction, _ side: FollowSide, of user: UserID, before: (since: Date, person: UserID)?
    ) throws -> ListPage<FocusFollow> {
        let (own, other): (SQL, SQL) =
            side == .following ? ("f.follower_id", "f.followed_id") : ("f.followed_id", "f.follower_id")
        let place: SQL =
            before.map { "AND (f.since, \(fragment: other)) < (\($0.since), \($0.person))" } ?? ""
        // While the followed user is a stranger without a nickname, the follow rests.
        let isAwake: SQL =
            side == .following
            ? "p.nickname IS NOT NULL"
            : "(SELECT nickname FROM focus_profiles WHERE user_id = \(user)) IS NOT NULL"
        return ListPage(
            try tx.query(
                """
                SELECT \(fragment: Self.columns)
                FROM focus_follows f
                \(fragment: Self.person(other, seenBy: user))
                WHERE \(fragment: own) = \(user) \(fragment: place) AND (known.shares_group OR \(fragment: isAwake))
                ORDER BY f.since DESC, \(fragment: other) DESC
                LIMIT \(ListPage<FocusFollow>.size + 1)
                """
            ).map(FocusFollow.init))
    }

    static func exported(_ tx: PostgresTransaction, _ user: UserID) throws -> JSONValue {
        try tx.exported(
            """
            SELECT followed_id AS user_id, since FROM focus_follows WHERE follower_id = \(user)
            ORDER BY since, followed_id
            """)
    }

    private static let columns: SQL = """
        u.id, p.nickname, CASE WHEN known.shares_group THEN u.first_name END AS first_name, f.since
        """

    /// Joins the profile `p` and the user `u` with that id, and whether they share a group with the user who sees them.
    static func person(_ id: SQL, seenBy user: UserID) -> SQL {
        """
        JOIN focus_profiles p ON p.user_id = \(fragment: id)
        JOIN users u ON u.id = p.user_id AND \(fragment: FocusBlockStore.none(between: "u.id", and: "\(user)"))
        CROSS JOIN LATERAL (SELECT \(fragment: sharesGroup("u.id", with: user)) AS shares_group) AS known
        """
    }

    /// The condition that the user with that id is in a group with the other one.
    static func sharesGroup(_ id: SQL, with user: UserID) -> SQL {
        """
        EXISTS (
            SELECT FROM group_members mine
            JOIN group_members theirs ON theirs.group_id = mine.group_id
            WHERE mine.user_id = \(user) AND theirs.user_id = \(fragment: id)
        )
        """
    }
}

extension FocusFollow {
    fileprivate init(_ row: PostgresRow) throws {
        self.init(
            person: try row.get("id"), nickname: try row.get("nickname"),
            firstName: try row.get("first_name"),
            since: try row.get("since"))
    }
}
