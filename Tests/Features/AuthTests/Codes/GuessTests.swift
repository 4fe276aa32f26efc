import DaylyTesting
import FeatureKit
import Foundation
import HTTPKit
import Postgres
import RateLimiting
import Testing

@testable import Auth

@Suite("Guessing from everywhere at once")
struct GuessTests {
    /// An attacker gets as many codes as they ask for.
    private func unlimited(_ configuration: inout AuthSettings) {
        configuration.resendAfter = .zero
        configuration.limits.numberPerHour = 1_000_000
        configuration.limits.numberPerDay = 1_000_000
        configuration.limits.addressPerHour = 1_000_000
        configuration.limits.networkPerHour = 1_000_000
        configuration.limits.prefixPerHour = 1_000_000
        configuration.limits.prefixSample = 1_000_000
    }

    private func attempt(_ id: VerificationID, _ code: String) -> VerificationAttempt {
        VerificationAttempt(
            verificationID: id.rawValue.uuidString, code: OneTimeCode(text: code), firstName: nil,
            timeZone: nil, deviceName: nil)
    }

    private func address(_ index: Int) -> ClientAddress? {
        ClientAddress("10.\(index / 65_536 % 256).\(index / 256 % 256).\(index % 256)")
    }

    private enum Heard { case accepted, wrong, refused }

    private func guess(
        _ auth: AuthService, _ id: VerificationID, _ code: String, from address: ClientAddress?
    ) async throws -> Heard {
        do {
            _ = try await auth.verify(attempt(id, code), from: address)
            return .accepted
        } catch AuthError.verificationFailed {
            return .wrong
        } catch is AuthError {
            return .refused
        }
    }

    private func started(_ app: SignInApp, _ number: PhoneNumber, _ count: Int) async throws
        -> [VerificationID]
    {
        var ids: [VerificationID] = []
        for _ in 0..<count {
            ids.append(try await app.auth.requestVerification(phoneNumber: number.rawValue, from: nil).id)
        }
        return ids
    }

    /// Guard: a number's failures are locked while a guess is judged (`GuessGuard.refusal`)
    /// Guard: codes sent before a pause may be tried, a few of them (`GuessGuard`)
    @Test(
        "of a flood of guesses at one number, over many codes, addresses and two instances, hardly any is compared"
    )
    func flood() async throws {
        // The whole attack: DAYLY_TEST_GUESSES=1000000.
        let guesses = ProcessInfo.processInfo.environment["DAYLY_TEST_GUESSES"].flatMap { Int($0) } ?? 2_000
        var limits = MessageCeiling.Limits()
        limits.perMinute = 1_000_000
        try await SignInApp.run(messageLimits: limits, configure: unlimited) { app in
            let number = Fixtures.phoneNumber()
            let ids = try await started(app, number, 100)
            let victim = try await app.startedVerification(number, count: 101)
            try await app.withTwo { instances in
                var heard: [Heard] = []
                for batch in 0..<(guesses / 200) {
                    heard += try await atOnce(200) { index in
                        let index = batch * 200 + index
                        // Seven digits are never a code, so that no guess is right by accident.
                        return try await guess(
                            instances[index % 2], ids[index % ids.count], "\(1_000_000 + index)",
                            from: address(index))
                    }
                }
                #expect(heard.filter { $0 == .wrong }.count <= 25)
                #expect(!heard.contains(.accepted))
                #expect(try await app.count("SELECT sum(attempts) AS count FROM verifications") <= 25)
            }
            // Nothing new is sent, the code that was under way is no longer heard only where others used up what
            // is kept for such codes.
            #expect(try await app.requestCode(number).status == 429)
            _ = victim
        }
    }

    /// Guard: codes sent before a pause may be tried, a few of them (`GuessGuard`)
    @Test("a code that was sent before the flood still works after it")
    func victim() async throws {
        try await SignInApp.run(configure: unlimited) { app in
            let number = Fixtures.phoneNumber()
            let mine = try await app.startedVerification(number)
            let ids = try await started(app, number, 8)
            for round in 0..<6 {
                for (index, id) in ids.enumerated() {
                    _ = try await guess(app.auth, id, "1000000", from: address(round * 300 + index * 9_000))
                }
            }
            #expect(try await app.verify(mine.id, mine.code).status == 200)
        }
    }

    /// Guard: codes of a paused number are refused after their end too (`AuthService.outcome`)
    @Test("codes of a paused number are reported as paused even after they have expired")
    func expired() async throws {
        try await SignInApp.run(configure: unlimited) { app in
            let ids = try await started(app, Fixtures.phoneNumber(), 4)
            for id in ids.prefix(3) + ids {
                for _ in 1...2 { #expect(try await guess(app.auth, id, "1000000", from: nil) == .wrong) }
            }
            #expect(try await guess(app.auth, ids[3], "1000000", from: nil) == .wrong)
            try await app.postgres.execute("UPDATE verifications SET expires_at = now()")
            #expect(try await guess(app.auth, ids[3], "1000000", from: nil) == .refused)
        }
    }

    /// Guard: the second pause is a day (`GuessGuard.beginPause`)
    @Test("the first pause lasts an hour, and the next one a day")
    func pauses() async throws {
        try await SignInApp.run(configure: unlimited) { app in
            let number = Fixtures.phoneNumber()
            for (shortest, longest) in [(3_500, 3_600), (86_300, 86_400), (86_300, 86_400)] {
                let ids = try await started(app, number, 3)
                for id in ids {
                    for _ in 1...5 { #expect(try await guess(app.auth, id, "1000000", from: nil) == .wrong) }
                }
                try await app.postgres.execute("DELETE FROM rate_counters WHERE scope = 'guess.block.hour'")
                let answer = try await app.requestCode(number)
                #expect(answer.status == 429)
                #expect((shortest...longest).contains(answer.retryAfter ?? 0))
                try await app.postgres.execute(
                    "UPDATE rate_counters SET window_ends_at = now() WHERE scope = 'guess.number.hour'")
            }
        }
    }

    /// Guard: wrong codes count per block and in all, except from a known address (`GuessGuard`)
    @Test("an address block may guess a hundred times an hour, and all clients together so often a minute")
    func elsewhere() async throws {
        for isBlock in [true, false] {
            try await SignInApp.run(configure: { configuration in
                unlimited(&configuration)
                if isBlock {
                    configuration.limits.failuresPerBlock = 7
                } else {
                    configuration.limits.failuresPerMinute = 7
                }
            }) { app in
                var heard = 0
                let mine = try await app.startedVerification(Fixtures.phoneNumber())
                for index in 0..<10 {
                    let id = try await started(app, Fixtures.phoneNumber(), 1)[0]
                    let from = ClientAddress(isBlock ? "203.0.113.\(index)" : "10.0.\(index).1")
                    if try await guess(app.auth, id, "1000000", from: from) == .wrong { heard += 1 }
                }
                #expect(heard == 7)
                // Another block may still guess, up to the limit of all clients together.
                let uuid = try #require(UUID(uuidString: mine.id))
                let other = try await guess(
                    app.auth, VerificationID(uuid), mine.code, from: ClientAddress("198.51.100.1"))
                #expect(other == (isBlock ? .accepted : .refused))
            }
        }
    }

    /// Guard: wrong codes count per block and in all, except from a known address (`GuessGuard`)
    @Test("strangers' wrong codes do not shut out a client at an address that verified the number before")
    func trusted() async throws {
        try await SignInApp.run(configure: { configuration in
            unlimited(&configuration)
            configuration.limits.failuresPerMinute = 3
            configuration.limits.failuresPerBlock = 3
        }) { app in
            let number = Fixtures.phoneNumber()
            _ = try await app.signIn(number)
            let mine = try await app.startedVerification(number, count: 2)
            let id = try await started(app, Fixtures.phoneNumber(), 1)[0]
            for _ in 1...5 { _ = try await guess(app.auth, id, "1000000", from: nil) }
            let stranger = try await app.startedVerification(Fixtures.phoneNumber())
            #expect(try await app.verify(stranger.id, stranger.code).status == 429)
            #expect(try await app.verify(mine.id, mine.code).status == 200)
        }
    }

    /// Guard: a guess that cannot be counted is refused (`RateLimitsUnavailable`)
    @Test("while guesses cannot be counted, every one is 503, and the right code stays valid")
    func failsClosed() async throws {
        try await SignInApp.run { app in
            let (id, code) = try await app.startedVerification(Fixtures.phoneNumber())
            try await app.postgres.execute("ALTER TABLE rate_counters RENAME TO elsewhere")
            for answer in try await [app.verify(id, code), app.requestCode(Fixtures.phoneNumber())] {
                #expect(answer.status == 503)
                #expect(answer.code == "unavailable")
                #expect(answer.retryAfter != nil)
            }
            try await app.postgres.execute("ALTER TABLE elsewhere RENAME TO rate_counters")
            #expect(try await app.verify(id, code).status == 200)
        }
    }
}
