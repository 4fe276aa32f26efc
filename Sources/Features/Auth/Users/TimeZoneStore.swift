import Postgres

/// The time zones that PostgreSQL knows by name. PostgreSQL also accepts POSIX rules such as `FOO-167`, which shift the
/// time by days. These are not in `pg_timezone_names`, so a name is valid only if that view has it exactly.
actor TimeZoneStore {
    private let postgres: PostgresClient
    /// Kept after the first query, because the view reads some 1,200 files.
    private var names: Set<String>?

    init(postgres: PostgresClient) {
        self.postgres = postgres
    }

    func contains(_ name: String) async throws -> Bool {
        try await loaded().contains(name)
    }

    private func loaded() async throws -> Set<String> {
        if let names { return names }
        let rows = try await postgres.query("SELECT name FROM pg_timezone_names")
        let found = Set(try rows.map { try $0.get("name", as: String.self) }.filter(Self.isPlace))
        names = found
        return found
    }

    /// Leaves out the names that stand for the server's own zone, and the copies that count leap seconds.
    private static func isPlace(_ name: String) -> Bool {
        !["localtime", "posixrules", "Factory"].contains(name) && !name.hasPrefix("posix/")
            && !name.hasPrefix("right/")
    }
}
