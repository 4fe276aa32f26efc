import CivilTime
import Foundation
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

    /// The name under which a user's zone is stored: the present one of the place where PostgreSQL knows it, else another one of
    /// the place. Nil for a name without any that PostgreSQL knows.
    func storedName(of name: String) async throws -> String? {
        let known = try await known()
        return ZoneNames.spellings(of: name).first(where: known.contains)
    }

    /// The zones of users, under the names that are stored.
    func inUse() async throws -> [String] {
        try await postgres.query("SELECT DISTINCT time_zone AS zone FROM users ORDER BY zone").map {
            try $0.get("zone")
        }
    }

    /// PostgreSQL's clock.
    func now() async throws -> Date {
        try await DatabaseClock(postgres).now()
    }

    /// Asks PostgreSQL anew the next time: it may have moved to a system that knows other zones.
    func forget() { names = nil }

    /// - Returns: the number of users that were given another zone, at most `limit`.
    func rename(_ name: String, to new: String, limit: Int = 2_000) async throws -> Int {
        try await postgres.execute(
            """
            UPDATE users SET time_zone = \(new) WHERE id IN (
                SELECT id FROM users WHERE time_zone = \(name) ORDER BY id LIMIT \(limit) FOR UPDATE)
            """)
    }

    private func known() async throws -> Set<String> {
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
