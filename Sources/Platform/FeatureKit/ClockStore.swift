import Foundation
import Postgres

/// The database's clock, by which photos expire and days end.
package struct ClockStore: Sendable {
    let postgres: PostgresClient

    package init(postgres: PostgresClient) {
        self.postgres = postgres
    }

    package func now() async throws -> Date? {
        try await postgres.first("SELECT now() AS now")?.get("now")
    }
}

extension PostgresTransaction {
    /// The time at which the transaction began. It stays the same until the transaction ends.
    package func now() throws -> Date {
        try one("SELECT now() AS now").get("now")
    }

    /// As `requireAgreed(_:)`, for transactions that have not read their time.
    package func requireAgreedTime() throws { try requireAgreed(now()) }
}
