import Postgres

/// A feature that an operator switches on or off for all clients. The service itself only tells it.
struct CompanionFlagState: Sendable, Equatable {
    let key: String
    let isEnabled: Bool
}

/// SQL about `companion_flags`.
struct CompanionFlagStore: Sendable {
    let postgres: PostgresClient

    /// By key.
    func all() async throws -> [CompanionFlagState] {
        try await postgres.query("SELECT key, enabled FROM companion_flags ORDER BY key COLLATE \"C\"").map {
            CompanionFlagState(key: try $0.get("key"), isEnabled: try $0.get("enabled"))
        }
    }

    func set(_ flag: CompanionFlagState) async throws {
        try await postgres.execute(
            """
            INSERT INTO companion_flags (key, enabled) VALUES (\(flag.key), \(flag.isEnabled))
            ON CONFLICT (key) DO UPDATE SET enabled = excluded.enabled, set_at = excluded.set_at
            """)
    }
}
