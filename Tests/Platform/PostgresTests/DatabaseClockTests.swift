import DaylyTesting
import Foundation
import Testing

@testable import Postgres

@Suite("PostgreSQL's time without a query")
struct DatabaseClockTests {
    @Test("the clock has PostgreSQL's time, and reads it again when the last reading is old")
    func reading() async throws {
        try await withTimeMachine(startingAt: Date(timeIntervalSince1970: 2_000_000_000)) { database, time in
            let fresh = DatabaseClock(database.client, maxAge: .zero)
            let cached = DatabaseClock(database.client, maxAge: .seconds(3_600))
            let dates = [try await fresh.now(), try await cached.now()]
            for date in dates { #expect((0..<60).contains(date.timeIntervalSince(time.now))) }
            try await time.advance(by: .days(2))
            #expect((0..<60).contains(try await fresh.now().timeIntervalSince(time.now)))
            // The clock continues its last reading and has not noticed the jump yet.
            #expect(try await cached.now() > dates[1])
            #expect(try await cached.now() < time.now)
        }
    }

    @Test("without the database the last reading is carried on; without a reading there is no time")
    func outage() async throws {
        let database = try await TestDatabase.make()
        let clock = DatabaseClock(database.client, maxAge: .zero)
        let before = try await clock.now()
        let never = DatabaseClock(database.client, maxAge: .zero)
        await database.drop()
        #expect(try await clock.now() > before)
        await #expect(throws: (any Error).self) { _ = try await never.now() }
    }
}
