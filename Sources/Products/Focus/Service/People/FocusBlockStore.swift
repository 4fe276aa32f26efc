import Postgres

/// SQL about the blocks that people have set.
enum FocusBlockStore {
    /// The condition that neither of two users has blocked the other. A block ends follows and partnerships when it is set; this holds
    /// also if an older program has set it.
    static func none(between one: SQL, and other: SQL) -> SQL {
        """
        NOT EXISTS (
            SELECT FROM blocks
            WHERE (blocker_id = \(fragment: one) AND blocked_id = \(fragment: other))
                OR (blocker_id = \(fragment: other) AND blocked_id = \(fragment: one))
        )
        """
    }
}
