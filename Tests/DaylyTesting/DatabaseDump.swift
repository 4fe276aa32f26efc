import Postgres

extension PostgresClient {
    /// The names of the service's tables, without partitions.
    package func tables() async throws -> [String] {
        try await query(
            """
            SELECT relname::text AS name FROM pg_class
            WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
            ORDER BY 1
            """
        ).map { try $0.get("name") }
    }

    /// Every row of every table in PostgreSQL's text form, after the table's name.
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
