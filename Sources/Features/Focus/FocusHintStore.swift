import FeatureKit
import Groups
import Postgres

/// SQL that finds the users whose clients hear of a change of Focus.
struct FocusHintStore: Sendable {
    /// The user's groups with those members who take part in Focus, the user included.
    func boardMembers(_ tx: PostgresTransaction, of user: UserID) throws -> [(GroupID, [UserID])] {
        try tx.query(
            """
            SELECT mine.group_id, array_agg(p.user_id ORDER BY p.user_id) AS members
            FROM group_members mine
            JOIN group_members theirs ON theirs.group_id = mine.group_id
            JOIN focus_profiles p ON p.user_id = theirs.user_id
            WHERE mine.user_id = \(user)
            GROUP BY mine.group_id
            """
        ).map { (try $0.get("group_id"), try $0.get("members")) }
    }
}
