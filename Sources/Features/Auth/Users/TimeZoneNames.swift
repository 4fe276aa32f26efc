import Postgres

/// The time zones that PostgreSQL knows by name. It also computes with POSIX rules such as `FOO-167`, which shift by
/// days: those are not in `pg_timezone_names`, so a name has to be found there exactly.
actor TimeZoneNames {
    private let postgres: PostgresClient
    /// The view reads some 1,200 files: once is enough.
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

    /// Not what belongs to the server's own machine, and not the copies that count leap seconds.
    private static func isPlace(_ name: String) -> Bool {
        !["localtime", "posixrules", "Factory"].contains(name) && !name.hasPrefix("posix/")
            && !name.hasPrefix("right/")
    }
}
