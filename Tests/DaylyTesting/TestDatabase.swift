import Logging
import Postgres

/// A database of its own for one test, made from a migrated template.
package struct TestDatabase: Sendable {
    package let url: String
    package let client: PostgresClient

    package static func make() async throws -> TestDatabase {
        throw PostgresError.unavailable("unfinished")
    }

    package func drop() async { await client.close() }
}

/// Runs `body` on a migrated database of its own, and drops it.
package func withDatabase<Value>(_ body: (PostgresClient) async throws -> Value) async throws -> Value {
    let database = try await TestDatabase.make()
    do {
        let value = try await body(database.client)
        await database.drop()
        return value
    } catch {
        await database.drop()
        throw error
    }
}
