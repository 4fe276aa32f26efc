import Foundation

/// PostgreSQL's time for what is decided without a query, such as the expiry of signed URLs.
///
/// The time is read now and then and carried on by this machine's steady clock, so processes whose clocks differ agree.
package actor DatabaseClock {
    private struct Reading {
        let date: Date
        let at: ContinuousClock.Instant
        /// When the database is asked again.
        var isGoodUntil: ContinuousClock.Instant

        var now: Date { date.addingTimeInterval(at.duration(to: .now) / .seconds(1)) }
    }

    private let postgres: PostgresClient
    private let maxAge: Duration
    private var reading: Reading?
    private var refresh: Task<Reading, any Error>?

    /// - Parameter maxAge: how long a jump of PostgreSQL's clock may go unnoticed.
    package init(_ postgres: PostgresClient, maxAge: Duration = .seconds(5)) {
        self.postgres = postgres
        self.maxAge = maxAge
    }

    /// While the database cannot be asked, the last reading is carried on.
    ///
    /// - Throws: `PostgresError` where there is none yet.
    package func now() async throws -> Date {
        if let reading, reading.isGoodUntil > .now { return reading.now }
        do {
            let reading = try await ask()
            self.reading = reading
            return reading.now
        } catch {
            guard let last = reading else { throw error }
            reading?.isGoodUntil = .now + maxAge
            return last.now
        }
    }

    /// Several callers share one query.
    private func ask() async throws -> Reading {
        if let refresh { return try await refresh.value }
        let task = Task { [postgres, maxAge] in
            // Before the query: this clock is rather ahead of PostgreSQL's than behind, so nothing lives too long.
            let began = ContinuousClock.now
            guard let row = try await postgres.first("SELECT now() AS now") else { throw CancellationError() }
            return Reading(date: try row.get("now", as: Date.self), at: began, isGoodUntil: .now + maxAge)
        }
        refresh = task
        defer { refresh = nil }
        return try await task.value
    }
}
