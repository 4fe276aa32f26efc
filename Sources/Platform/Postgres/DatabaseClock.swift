import Foundation

/// PostgreSQL's time, for decisions that need no other query, such as the expiry of signed URLs.
///
/// The clock reads the time from the database now and then and continues it with this machine's steady clock, so that
/// processes on machines with different clocks agree.
package actor DatabaseClock {
    private struct Reading {
        let date: Date
        let at: ContinuousClock.Instant
        /// The time from which the next caller asks the database again.
        var expiresAt: ContinuousClock.Instant

        var now: Date { date.addingTimeInterval(at.duration(to: .now) / .seconds(1)) }
    }

    private let postgres: PostgresClient
    private let maxAge: Duration
    private var reading: Reading?
    private var refresh: Task<Reading, any Error>?

    /// - Parameter maxAge: the age at which a reading expires, and so the longest time for which a jump of PostgreSQL's
    ///   clock goes unnoticed.
    package init(_ postgres: PostgresClient, maxAge: Duration = .seconds(5)) {
        self.postgres = postgres
        self.maxAge = maxAge
    }

    /// PostgreSQL's time now. While the database is unavailable, the clock continues its last reading.
    ///
    /// - Throws: `PostgresError` when there is no reading yet.
    package func now() async throws -> Date {
        if let reading, reading.expiresAt > .now { return reading.now }
        do {
            let reading = try await ask()
            self.reading = reading
            return reading.now
        } catch {
            guard let last = reading else { throw error }
            reading?.expiresAt = .now + maxAge
            return last.now
        }
    }

    /// Reads the database's time. Callers at the same time share one query.
    private func ask() async throws -> Reading {
        if let refresh { return try await refresh.value }
        let task = Task { [postgres, maxAge] in
            // Measured before the query, so that this clock is ahead of PostgreSQL's rather than behind it, and nothing
            // lives too long.
            let began = ContinuousClock.now
            guard let row = try await postgres.first("SELECT now() AS now") else { throw CancellationError() }
            return Reading(date: try row.get("now", as: Date.self), at: began, expiresAt: .now + maxAge)
        }
        refresh = task
        defer { refresh = nil }
        return try await task.value
    }
}
