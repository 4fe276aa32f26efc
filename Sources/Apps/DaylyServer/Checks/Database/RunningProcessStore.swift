import Postgres

/// SQL about the processes that work on the database, by the names that they give to their sessions.
struct RunningProcessStore: Sendable {
    static let serving = "dayly serve"
    static let sweeping = "dayly sweep"

    let client: PostgresClient

    /// The sessions of services and sweepers, not of other commands.
    func sessions() async throws -> Int {
        let row = try await client.first(
            """
            SELECT count(*) AS count FROM pg_stat_activity
            WHERE datname = current_database() AND application_name IN (\(Self.serving), \(Self.sweeping))
            """)
        return try row?.get("count") ?? 0
    }
}
