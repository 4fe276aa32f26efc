import Postgres

extension PostgresClient {
    /// The service's tables, by name. Partitions are parts of theirs.
    package func tables() async throws -> [String] {
        try await query(
            """
            SELECT relname::text AS name FROM pg_class
            WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
            ORDER BY 1
            """
        ).map { try $0.get("name") }
    }

    /// Every row of every table, as PostgreSQL writes it, behind the table's name.
    package func everyRow() async throws -> [String] {
        var rows: [String] = []
        for name in try await tables() {
            rows += try await query(
                "SELECT found::text AS row FROM \(identifier: name) AS found ORDER BY 1"
            ).map { "\(name) \(try $0.get("row", as: String.self))" }
        }
        return rows
    }
}
