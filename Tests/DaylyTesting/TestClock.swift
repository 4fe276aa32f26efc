import Foundation
import Postgres
import Synchronization

/// Time that stands still until a test moves it: a photo's 48 hours, an invitation's week and a session's 60 days pass
/// without waiting.
///
/// PostgreSQL decides in the product what is over, by `now()`. In a database of `withTimeMachine` the name `now` means
/// this clock, in statements, defaults and functions alike; no product code knows of it. The time that the service reads from
/// its own clock it gets as `now`. `Date()` and everything measured in `ContinuousClock` go on as ever.
package final class TestClock: Sendable {
    private let postgres: PostgresClient
    private let instant: Mutex<Date>

    /// - Parameter start: to the second; the present unless given.
    init(in postgres: PostgresClient, start: Date) async throws {
        self.postgres = postgres
        instant = Mutex(Date(timeIntervalSince1970: start.timeIntervalSince1970.rounded(.down)))
        try await set(to: now)
    }

    package var now: Date { instant.withLock { $0 } }

    package func advance(by duration: Duration) async throws {
        try await set(to: now.addingTimeInterval(duration / .seconds(1)))
    }

    package func set(to date: Date) async throws {
        try await postgres.execute("UPDATE test_clock.clock SET instant = \(date)")
        instant.withLock { $0 = date }
    }

    // MARK: - In the database

    /// As a migration, so that its checksum names the template.
    static let schema = Migration(name: "0000_test_clock", sql: statements.joined(separator: ";\n"))

    /// `public` first: there the names below are found before their originals, and tables are made there as ever.
    private static let searchPath = "public, pg_catalog"

    private static let statements =
        [
            "CREATE SCHEMA test_clock",
            "CREATE TABLE test_clock.clock (instant timestamptz)",
            "INSERT INTO test_clock.clock VALUES (NULL)",
        ]
        + ["now", "transaction_timestamp", "statement_timestamp", "clock_timestamp"].map {
            """
            CREATE FUNCTION public.\($0)() RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE
            AS 'SELECT COALESCE((SELECT instant FROM test_clock.clock), pg_catalog.\($0)())'
            """
        }

    /// For sessions that begin after it.
    static func setting(of database: String) -> SQL {
        "ALTER DATABASE \(identifier: database) SET search_path = \(fragment: SQL(unchecked: searchPath))"
    }

    /// Before the schema, whose defaults and functions keep the `now` that they were made with.
    static func install(in postgres: PostgresClient) async throws {
        for statement in statements { try await postgres.execute(SQL(unchecked: statement)) }
    }
}

/// Runs `body` on a migrated database of its own whose time is the clock's, and drops it.
package func withTimeMachine<Value>(
    startingAt start: Date = Date(), _ body: (TestDatabase, TestClock) async throws -> Value
) async throws -> Value {
    try await withTestDatabase(hasClock: true) { database in
        try await body(database, try await TestClock(in: database.client, start: start))
    }
}

extension Duration {
    package static func minutes(_ count: Int) -> Duration { .seconds(count * 60) }
    package static func hours(_ count: Int) -> Duration { .seconds(count * 3600) }
    package static func days(_ count: Int) -> Duration { .seconds(count * 86_400) }
}
