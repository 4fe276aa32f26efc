import Postgres

/// SQL about `secret_check`: a code under the `auth.secret` that the database is used with.
struct SecretCheckStore: Sendable {
    let client: PostgresClient

    /// Nil before the first start, and before the migration that made the table.
    func code() async throws -> [UInt8]? {
        let table = try await client.first("SELECT to_regclass('secret_check') IS NOT NULL AS is_there")
        guard try table?.get("is_there") == true else { return nil }
        return try await client.first("SELECT code FROM secret_check")?.get("code")
    }

    /// - Parameter old: the code that was read; another process may have written a newer one since.
    func replace(_ old: [UInt8]?, by code: [UInt8]) async throws {
        if let old {
            try await client.execute("UPDATE secret_check SET code = \(code) WHERE code = \(old)")
        } else {
            try await client.execute(
                "INSERT INTO secret_check (code) VALUES (\(code)) ON CONFLICT DO NOTHING")
        }
    }
}
