import Postgres

extension PostgresClient {
    /// Every row of every table, as PostgreSQL writes it, behind the table's name.
    package func everyRow() async throws -> [String] {
        let tables = try await query(
            "SELECT tablename::text AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1")
        var rows: [String] = []
        for table in tables {
            let name: String = try table.get("name")
            rows += try await query(
                "SELECT found::text AS row FROM \(identifier: name) AS found ORDER BY 1"
            ).map { "\(name) \(try $0.get("row", as: String.self))" }
        }
        return rows
    }
}
