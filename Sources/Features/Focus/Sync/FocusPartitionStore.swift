import Postgres

/// SQL that makes and drops the partitions of Focus' tables.
struct FocusPartitionStore: Sendable {
    let postgres: PostgresClient

    /// Makes the partitions from the oldest day that an event may be about to some weeks ahead.
    ///
    /// - Returns: the number of partitions made.
    func make() async throws -> Int {
        let today: SQL = "(now() AT TIME ZONE 'UTC')::date"
        let row = try await postgres.first(
            "SELECT make_focus_partitions(\(fragment: today) - 16, \(fragment: today) + 21) AS made")
        return try row?.get("made") ?? 0
    }
}
