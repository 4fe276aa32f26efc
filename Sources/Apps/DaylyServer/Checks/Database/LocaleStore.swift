import Postgres

/// Reads a database's encoding and the versions of its collations.
struct LocaleStore: Sendable {
    let client: PostgresClient

    /// `UTF8`, `LATIN1`, `SQL_ASCII`.
    func encoding() async throws -> String {
        let row = try await client.first("SELECT current_setting('server_encoding') AS encoding")
        guard let row else { throw PostgresError.decoding("no row") }
        return try row.get("encoding")
    }

    /// The collations in use whose version is not the one that their indexes were built with: nil stands for the database's own.
    func changedCollations() async throws -> [String?] {
        try await client.query(
            """
            SELECT NULL AS name FROM pg_database
            WHERE datname = current_database() AND datcollversion <> pg_database_collation_actual_version(oid)
            UNION ALL
            SELECT DISTINCT format('%I.%I', c.collnamespace::regnamespace, c.collname)
            FROM pg_collation c
            JOIN pg_attribute a ON a.attcollation = c.oid
            JOIN pg_class t ON t.oid = a.attrelid AND t.relnamespace = current_schema()::regnamespace
            WHERE c.collversion <> pg_collation_actual_version(c.oid)
            """
        ).map { try $0.get("name") }
    }

    func databaseName() async throws -> String {
        let row = try await client.first("SELECT quote_ident(current_database()) AS name")
        guard let row else { throw PostgresError.decoding("no row") }
        return try row.get("name")
    }
}
