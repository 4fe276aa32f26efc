import Postgres

/// SQL that makes and drops the partitions of Focus' tables.
struct FocusPartitionStore: Sendable {
    let postgres: PostgresClient

    /// Makes the partitions from the oldest day that an event may be about to some weeks ahead.
    ///
    /// - Returns: the number of partitions made.
    func make() async throws -> Int {
        try await postgres.transaction { try Self.make($0) }
    }

    /// The same ahead of time, unless somebody reads the tables just now: everybody would wait behind the lock.
    func makeUnlessBusy() async throws -> Int {
        try await postgres.unlessBusy { try Self.make($0) } ?? 0
    }

    private static func make(_ tx: PostgresTransaction) throws -> Int {
        let today: SQL = "(now() AT TIME ZONE 'UTC')::date"
        return try tx.one(
            "SELECT make_focus_partitions(\(fragment: today) - 16, \(fragment: today) + 21) AS made"
        ).get("made")
    }
}
