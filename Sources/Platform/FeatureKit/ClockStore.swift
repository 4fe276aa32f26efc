import Foundation
import Postgres

/// The database's clock, by which photos expire and days end.
struct ClockStore: Sendable {
    let postgres: PostgresClient

    func now() async throws -> Date? {
        try await postgres.first("SELECT now() AS now")?.get("now")
    }
}
