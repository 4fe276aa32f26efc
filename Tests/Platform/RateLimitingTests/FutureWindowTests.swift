import DaylyTesting
import Postgres
import RateLimiting
import Testing

@Suite("Limits after a clock that was ahead")
struct FutureWindowTests {
    /// Guard: a window of a limit that lies ahead counts as ended; one that was prolonged, or began a little
    /// later, does not (`RateCounterStore.isOpen`, `RateLimit.longestWindow`)
    @Test("a window that was opened in the future shuts out nobody", arguments: [false, true])
    func future(refills: Bool) async throws {
        try await withTimeMachine { database, clock in
            let limits = Fixtures.rateLimits(database.client)
            let limit = RateLimit(
                scope: "test.hour", subject: "someone", limit: 2, per: .hours(1), refills: refills)
            let right = clock.now
            try await clock.advance(by: .days(9))
            for _ in 1...2 { try await limits.check([limit]) }
            await #expect(throws: RateLimited.self) { try await limits.check([limit]) }
            try await clock.set(to: right)
            #expect(try await limits.exceeded([limit]) == nil)
            for _ in 1...2 { try await limits.check([limit]) }
            #expect(try await limits.exceeded([limit]) != nil)
            await #expect(throws: RateLimited.self) { try await limits.check([limit]) }
        }
    }

    /// Guard: a window of a limit that lies ahead counts as ended; one that was prolonged, or began a little
    /// later, does not (`RateCounterStore.isOpen`, `RateLimit.longestWindow`)
    @Test("a window of a transaction that began a little later counts")
    func slightlyLater() async throws {
        try await withTimeMachine { database, clock in
            let limits = Fixtures.rateLimits(database.client)
            let limit = RateLimit(scope: "test.hour", subject: "someone", limit: 2, per: .hours(1))
            for _ in 1...2 { try await limits.check([limit]) }
            try await clock.advance(by: .seconds(-5))
            await #expect(throws: RateLimited.self) { try await limits.check([limit]) }
        }
    }

    /// Guard: a window of a limit that lies ahead counts as ended; one that was prolonged, or began a little
    /// later, does not (`RateCounterStore.isOpen`, `RateLimit.longestWindow`)
    @Test("a window that was prolonged stays open for as long as the limit allows")
    func prolonged() async throws {
        try await withTimeMachine { database, clock in
            let limits = Fixtures.rateLimits(database.client)
            let (short, long) = (Self.limit(per: .hours(1)), Self.limit(per: .days(1)))
            try await limits.check([short])
            try await database.client.transaction { tx in try limits.prolong(tx, [long]) }
            try await clock.advance(by: .hours(23))
            await #expect(throws: RateLimited.self) { try await limits.check([short]) }
            try await clock.advance(by: .hours(1))
            try await limits.check([short])
        }
    }

    private static func limit(per window: Duration) -> RateLimit {
        RateLimit(scope: "test.hour", subject: "someone", limit: 1, per: window, prolongedTo: .days(1))
    }

    /// Guard: messages of a time ahead do not count against the ceiling (`MessageTallyStore.within`)
    @Test("messages of a time that is still to come are not counted")
    func messages() async throws {
        try await withTimeMachine { database, clock in
            var ceiling = MessageCeiling.Limits()
            ceiling.perMinute = 1
            let limits = Fixtures.rateLimits(database.client, messageLimits: ceiling)
            let right = clock.now
            let take = {
                try await database.client.transaction { tx in try limits.messages.takeOne(tx, for: .knownCode)
                }
            }
            try await clock.advance(by: .days(9))
            try await take()
            await #expect(throws: RateLimited.self) { try await take() }
            try await clock.set(to: right)
            try await take()
            await #expect(throws: RateLimited.self) { try await take() }
        }
    }
}
