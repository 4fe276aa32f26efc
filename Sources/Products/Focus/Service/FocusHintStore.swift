import FeatureKit
import Groups
import Postgres

/// The members of a group who take part in Focus.
struct FocusBoardMembers: Sendable {
    let group: GroupID
    let users: [UserID]
}

/// SQL that finds the users whose clients hear of a change of Focus.
enum FocusHintStore {
    /// The groups whose boards list the user.
    static func boardMembers(_ tx: PostgresTransaction, of user: UserID) throws -> [FocusBoardMembers] {
        try tx.query(
            """
            SELECT mine.group_id, array_agg(p.user_id ORDER BY p.user_id) AS members
            FROM focus_profiles own
            JOIN group_members mine ON mine.user_id = own.user_id
            JOIN group_members theirs ON theirs.group_id = mine.group_id
            JOIN focus_profiles p ON p.user_id = theirs.user_id
            WHERE own.user_id = \(user) AND own.boards
            GROUP BY mine.group_id
            """
        ).map { FocusBoardMembers(group: try $0.get("group_id"), users: try $0.get("members")) }
    }
}
