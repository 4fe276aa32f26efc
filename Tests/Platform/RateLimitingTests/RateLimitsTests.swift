import DaylyTesting
import KeyDerivation
import Postgres
import RateLimiting
import Testing

private func limit(_ limit: Int, scope: RateScope = "test.hour", subject: String = "someone") -> RateLimit {
    RateLimit(scope: scope, subject: subject, limit: limit, per: .seconds(3_600))
}

private func used(_ postgres: PostgresClient, scope: String = "test.hour") async throws -> Int? {
    try await postgres.first("SELECT used FROM rate_counters WHERE scope = \(scope)")?.get("used")
}

@Suite("Rate limits")
struct RateLimitsTests {
    @Test("what is within the limit passes, what is above waits for the window's end")
    func limitsHold() async throws {
        try await withDatabase { postgres in
            let limits = Fixtures.rateLimits(postgres)
            for _ in 1...3 { try await limits.check([limit(3)]) }
            let refusal = await #expect(throws: RateLimited.self) { try await limits.check([limit(3)]) }
            let retryAfter = try #require(refusal).retryAfter
            #expect(refusal?.scope == "test.hour")
            #expect(retryAfter > .seconds(3_590) && retryAfter <= .seconds(3_600))
            #expect(try await used(postgres) == 3)
        }
    }

    /// Guard: looked-up numbers are counted all or not at all (`InvitationService.check`,
    /// `RateLimits.take(amount:)`)
    @Test("several events at once are counted all or not at all")
    func amounts() async throws {
        try await withDatabase { postgres in
            let limits = Fixtures.rateLimits(postgres)
            let take = { (amount: Int) in
                try await postgres.transaction { try limits.take($0, [limit(10)], amount: amount) == nil }
            }
            var outcomes: [Bool] = []
            for amount in [6, 5, 4, 1, 0] { outcomes.append(try await take(amount)) }
            #expect(outcomes == [true, false, true, false, true])
            #expect(try await used(postgres) == 10)
        }
    }

    /// Guard: counters under all secrets are added up, and the first one counts (`RateLimits.states`,
    /// `.subjects`)
    @Test("what was counted under the previous secret counts, whichever of two processes counts next")
    func changedSecret() async throws {
        try await withDatabase { postgres in
            func limits(_ secrets: ServiceSecrets) -> RateLimits {
                Fixtures.rateLimits(postgres, secrets: secrets)
            }
            let (old, new) = (Fixtures.secret, Fixtures.otherSecret)
            let before = limits(ServiceSecrets(old, previous: [new]))
            let after = limits(ServiceSecrets(new, previous: [old]))
            for _ in 1...2 { try await limits(ServiceSecrets(old)).check([limit(5)]) }
            for one in [after, before, after] { try await one.check([limit(5)]) }
            for one in [after, before] {
                let refusal = await #expect(throws: RateLimited.self) { try await one.check([limit(5)]) }
                #expect(try #require(refusal).retryAfter > .seconds(3_590))
                #expect(try await one.states(of: [limit(5)]).map(\.used) == [5])
            }
            try await limits(ServiceSecrets(new)).check([limit(5)])
        }
    }

    @Test("subjects and scopes do not share a counter")
    func separateCounters() async throws {
        try await withDatabase { postgres in
            let limits = Fixtures.rateLimits(postgres)
            try await limits.check([limit(1)])
            try await limits.check([limit(1, subject: "somebody else")])
            try await limits.check([limit(1, scope: "test.day")])
        }
    }

    /// Guard: several limits count together or not at all, under lock, keyed, within their window
    /// (`RateLimits`, `RateCounterStore`)
    @Test("after the window a new one begins with its first event")
    func windowsEnd() async throws {
        try await withDatabase { postgres in
            let limits = Fixtures.rateLimits(postgres)
            try await limits.check([limit(1)])
            try await postgres.execute(
                "UPDATE rate_counters SET window_ends_at = now() - interval '1 second'")
            try await limits.check([limit(1)])
            await #expect(throws: RateLimited.self) { try await limits.check([limit(1)]) }
            #expect(try await used(postgres) == 1)
        }
    }

    /// Guard: several limits count together or not at all, under lock, keyed, within their window
    /// (`RateLimits`, `RateCounterStore`)
    @Test("several limits count together or not at all")
    func allOrNothing() async throws {
        try await withDatabase { postgres in
            let limits = Fixtures.rateLimits(postgres)
            let both = [limit(5, scope: "a"), limit(1, scope: "b")]
            try await limits.check(both)
            let refusal = try await postgres.transaction { try limits.take($0, both) }
            #expect(refusal?.scope == "b")
            #expect(try await used(postgres, scope: "a") == 1)
            #expect(try await used(postgres, scope: "b") == 1)
        }
    }

    @Test("of several limits that are used up the longest wait is told")
    func longestWait() async throws {
        try await withDatabase { postgres in
            let limits = Fixtures.rateLimits(postgres)
            let both = [
                RateLimit(scope: "short", subject: "s", limit: 1, per: .seconds(30)),
                RateLimit(scope: "long", subject: "s", limit: 1, per: .seconds(600)),
            ]
            try await limits.check(both)
            let refusal = try await postgres.transaction { try limits.take($0, both) }
            #expect(refusal?.scope == "long")
        }
    }

    /// Guard: several limits count together or not at all, under lock, keyed, within their window
    /// (`RateLimits`, `RateCounterStore`)
    @Test("fifty at once pass exactly as often as the limit says, in whatever order they name their limits")
    func race() async throws {
        try await withDatabase { postgres in
            let limits = Fixtures.rateLimits(postgres)
            let passed = try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 1...50 {
                    group.addTask {
                        let both = [limit(7, scope: "a"), limit(9, scope: "b")]
                        do {
                            try await limits.check(number.isMultiple(of: 2) ? both : both.reversed())
                            return true
                        } catch is RateLimited {
                            return false
                        }
                    }
                }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(passed == 7)
            #expect(try await used(postgres, scope: "a") == 7)
            #expect(try await used(postgres, scope: "b") == 7)
        }
    }

    /// Guard: limits on addresses refill steadily (`RateCounterStore.increment`, `RateState.wait`)
    @Test("a limit that refills has room for one event after each part of its window")
    func refills() async throws {
        try await withDatabase { postgres in
            let limits = Fixtures.rateLimits(postgres)
            let bucket = RateLimit(
                scope: "test.hour", subject: "someone", limit: 4, per: .seconds(3_600), refills: true)
            for _ in 1...4 { try await limits.check([bucket]) }
            let refusal = await #expect(throws: RateLimited.self) { try await limits.check([bucket]) }
            let retryAfter = try #require(refusal).retryAfter
            #expect(retryAfter > .seconds(880) && retryAfter <= .seconds(900))
            let pass =
                "UPDATE rate_counters SET window_ends_at = window_ends_at - interval '900 seconds'" as SQL
            try await postgres.execute(pass)
            #expect(try await limits.states(of: [bucket]).map(\.used) == [3])
            try await limits.check([bucket])
            await #expect(throws: RateLimited.self) { try await limits.check([bucket]) }
            // Events that are counted above the limit leave no debt.
            for _ in 1...20 { try await postgres.transaction { try limits.count($0, [bucket]) } }
            try await postgres.execute(pass)
            try await limits.check([bucket])
        }
    }

    @Test(
        "an event that is given back counts no more, and never less than nothing is counted",
        arguments: [false, true])
    func givesBack(refills: Bool) async throws {
        try await withDatabase { postgres in
            let limits = Fixtures.rateLimits(postgres)
            let limit = RateLimit(
                scope: "test.hour", subject: "someone", limit: 2, per: .seconds(3_600), refills: refills)
            let giveBack = { try await postgres.transaction { try limits.giveBack($0, [limit]) } }
            try await giveBack()
            for _ in 1...2 { try await limits.check([limit]) }
            try await giveBack()
            try await limits.check([limit])
            await #expect(throws: RateLimited.self) { try await limits.check([limit]) }
            for _ in 1...5 { try await giveBack() }
            for _ in 1...2 { try await limits.check([limit]) }
            await #expect(throws: RateLimited.self) { try await limits.check([limit]) }
        }
    }

    @Test("an event that has happened is counted above the limit, and looking counts nothing")
    func countAndExceeded() async throws {
        try await withDatabase { postgres in
            let limits = Fixtures.rateLimits(postgres)
            for expected in 0..<4 {
                let refusal = try await postgres.transaction { try limits.exceeded($0, [limit(3)]) }
                #expect((refusal != nil) == (expected >= 3))
                try await postgres.transaction { try limits.count($0, [limit(3)]) }
            }
            #expect(try await used(postgres) == 4)
        }
    }

    @Test("what is undone was not counted")
    func undone() async throws {
        struct Undo: Error {}
        try await withDatabase { postgres in
            let limits = Fixtures.rateLimits(postgres)
            await #expect(throws: Undo.self) {
                try await postgres.transaction { tx in
                    try limits.check(tx, [limit(1)])
                    throw Undo()
                }
            }
            try await limits.check([limit(1)])
        }
    }

    @Test("without enforcement nothing is counted")
    func notEnforced() async throws {
        try await withDatabase { postgres in
            let limits = Fixtures.rateLimits(postgres, enforced: false)
            for _ in 1...5 { try await limits.check([limit(1)]) }
            try await postgres.transaction { try limits.count($0, [limit(1)]) }
            #expect(try await postgres.query("SELECT scope FROM rate_counters").isEmpty)
        }
    }

    /// Guard: several limits count together or not at all, under lock, keyed, within their window
    /// (`RateLimits`, `RateCounterStore`)
    @Test("neither the subject nor a plain hash of it is stored")
    func subjectsAreKeyed() async throws {
        try await withDatabase { postgres in
            let number = "+4915123456789"
            try await Fixtures.rateLimits(postgres).check([limit(1, subject: number)])
            let plain = try await postgres.first(
                """
                SELECT count(*) AS count FROM rate_counters
                WHERE encode(subject, 'escape') LIKE '%4915%' OR subject = sha256(convert_to(\(number), 'UTF8'))
                """)
            #expect(try plain?.get("count", as: Int.self) == 0)
            let stored: [UInt8]? = try await postgres.first("SELECT subject FROM rate_counters")?.get(
                "subject")
            #expect(stored?.count == 32)
        }
    }

    @Test("the sweep deletes counters of the past and no other")
    func sweep() async throws {
        try await withDatabase { postgres in
            let limits = Fixtures.rateLimits(postgres)
            try await limits.check([limit(1, scope: "old"), limit(1, scope: "new")])
            try await postgres.execute(
                "UPDATE rate_counters SET window_ends_at = now() - interval '1 second' WHERE scope = 'old'")
            #expect(try await limits.sweep() == 1)
            #expect(try await limits.sweep() == 0)
            #expect(try await used(postgres, scope: "new") == 1)
        }
    }
}
