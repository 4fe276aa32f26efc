import Postgres

/// How the primary replicates.
struct Replication: Sendable, Equatable {
    /// `synchronous_standby_names`.
    var synchronousNames: String
    /// `synchronous_commit` of Dayly's own sessions.
    var commit: String
    /// Whether the role may see the state of standbys.
    var isVisible: Bool
    /// The standbys that stream, and those of them that commits wait for.
    var streaming: Int
    var synchronous: Int
}

struct ReplicationStore: Sendable {
    let client: PostgresClient

    func read() async throws -> Replication {
        let row = try await client.first(
            """
            SELECT current_setting('synchronous_standby_names') AS names,
                current_setting('synchronous_commit') AS commit,
                pg_has_role(current_user, 'pg_read_all_stats', 'USAGE') AS is_visible,
                count(*) FILTER (WHERE state = 'streaming') AS streaming,
                count(*) FILTER (WHERE state = 'streaming' AND sync_state IN ('sync', 'quorum')) AS synchronous
            FROM pg_stat_replication
            """)
        guard let row else { throw PostgresError.decoding("no row") }
        return Replication(
            synchronousNames: try row.get("names"), commit: try row.get("commit"),
            isVisible: try row.get("is_visible"), streaming: try row.get("streaming"),
            synchronous: try row.get("synchronous"))
    }
}
