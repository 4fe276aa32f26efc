import DaylyTesting
import Foundation
import HTTPKit
import Postgres
import RateLimiting
import Testing

@testable import Auth

@Suite("A number under attack")
struct NumberUnderAttackTests {
    private let home = ClientAddress("203.0.113.7")

    /// A user who verified their number from `home` before.
    private func owner(_ app: SignInApp, _ number: PhoneNumber = Fixtures.phoneNumber()) async throws
        -> PhoneNumber
    {
        try await app.postgres.transaction { tx in
            try app.auth.firewall.store.recordVerified(
                tx, number: app.auth.limits.digest(number.rawValue),
                from: app.auth.limits.digest(CodeRateLimits.subject(home)))
        }
        return number
    }

    private func stranger(_ index: Int) -> ClientAddress? {
        ClientAddress("\(11 + index % 200).\(index / 200).1.1")
    }

    private func refusal(
        _ app: SignInApp, _ number: PhoneNumber, from address: ClientAddress?
    ) async throws -> RateLimited? {
        // The pause of 30 s is over.
        try await app.postgres.execute("DELETE FROM rate_counters WHERE scope = 'code.number.pause'")
        return try await app.refusal(of: number.rawValue, from: address)
    }

    /// The code that came to a number last, tried by the owner.
    private func signsIn(_ app: SignInApp, _ number: PhoneNumber) async throws -> Bool {
        try await app.postgres.execute("DELETE FROM rate_counters WHERE scope = 'code.number.pause'")
        let count = app.sms.messages.filter { $0.to == number.rawValue }.count + 1
        let id = try await app.auth.requestVerification(phoneNumber: number.rawValue, from: home).id
        let code = try await app.sms.code(to: number.rawValue, count: count)
        let attempt = VerificationAttempt(
            verificationID: id.rawValue.uuidString, code: OneTimeCode(text: code), firstName: nil,
            timeZone: nil,
            deviceName: nil)
        return try await app.auth.verify(attempt, from: home).user.phoneNumber == number
    }

    private func guessWrong(_ app: SignInApp, _ number: PhoneNumber, times: Int) async throws {
        try await app.postgres.transaction { tx in
            let target = GuessTarget(number: number, attempts: 1, isTrusted: false)
            for _ in 1...times { try app.auth.guesses.countFailure(tx, target, from: stranger(1)) }
        }
    }

    /// Guard: strangers' wrong codes do not stop codes for a known address (`CodeFirewall.admit`)
    @Test(
        "after strangers' codes and guesses the owner gets a code from their own address, and it is checked")
    func failures() async throws {
        try await SignInApp.run { app in
            let number = try await owner(app)
            for index in 1...3 { #expect(try await refusal(app, number, from: stranger(index)) == nil) }
            try await guessWrong(app, number, times: 15)
            #expect(try await refusal(app, number, from: stranger(9))?.scope == "guess.number.hour")
            #expect(try await signsIn(app, number))
            #expect(try await signsIn(app, number))
        }
    }

    /// Guard: the owner's guesses in a pause are counted apart from strangers', and bounded
    /// (`CodeRateLimits.exceptions`)
    @Test("neither a day's pause nor the guesses that strangers have left in it affect the owner's codes")
    func longPause() async throws {
        try await SignInApp.run { app in
            let number = try await owner(app)
            try await guessWrong(app, number, times: 15)
            try await app.postgres.execute(
                "UPDATE rate_counters SET window_ends_at = now() WHERE scope = 'guess.number.hour'")
            try await guessWrong(app, number, times: 15)
            let rules = app.auth.firewall.rules
            try await app.postgres.transaction { tx in
                for _ in 1...10 {
                    try app.auth.limits.count(tx, [rules.exceptions(for: number, isTrusted: false)])
                }
            }
            #expect(try await signsIn(app, number))
        }
    }

    /// Guard: the owner's guesses in a pause are counted apart from strangers', and bounded
    /// (`CodeRateLimits.exceptions`)
    @Test("the owner's own guesses stay bounded in a pause, at ten an hour")
    func bounded() async throws {
        try await SignInApp.run { app in
            let number = try await owner(app)
            try await guessWrong(app, number, times: 15)
            var outcomes: [AuthError] = []
            for _ in 1...3 {
                try await app.postgres.execute("DELETE FROM rate_counters WHERE scope = 'code.number.pause'")
                let id = try await app.auth.requestVerification(phoneNumber: number.rawValue, from: home).id
                let attempt = VerificationAttempt(
                    verificationID: id.rawValue.uuidString, code: OneTimeCode(text: "1000000"),
                    firstName: nil,
                    timeZone: nil, deviceName: nil)
                for _ in 1...5 {
                    do { _ = try await app.auth.verify(attempt, from: home) } catch let error as AuthError {
                        outcomes.append(error)
                    }
                }
            }
            let isChecked = outcomes.map { if case .verificationFailed = $0 { true } else { false } }
            #expect(isChecked == Array(repeating: true, count: 10) + Array(repeating: false, count: 5))
        }
    }

    /// Guard: a spent or closed prefix does not stop codes for a known address (`CodeFirewall.admit`)
    @Test("a spent or closed prefix refuses strangers, and not the owner")
    func prefixes() async throws {
        try await SignInApp.run(configure: { configuration in
            configuration.limits.prefixPerHour = 4
            configuration.limits.prefixSample = 3
        }) { app in
            let text = Fixtures.phoneNumber().rawValue
            let number = try await owner(app, try #require(PhoneNumber(rawValue: text.dropLast(4) + "9999")))
            for index in 1...4 {
                let other = try #require(PhoneNumber(rawValue: text.dropLast(4) + "000\(index)"))
                let refused = try await refusal(app, other, from: stranger(index))
                #expect(refused?.scope == (index < 4 ? nil : "code.prefix.closed"))
            }
            #expect(try await refusal(app, number, from: stranger(9))?.scope == "code.prefix.closed")
            #expect(try await refusal(app, number, from: home) == nil)
            try await app.postgres.execute("DELETE FROM closed_prefixes")
            try await app.postgres.transaction { tx in
                for _ in 1...4 { try app.auth.limits.count(tx, [app.auth.firewall.rules.ofPrefix(number)]) }
            }
            #expect(try await refusal(app, number, from: stranger(9))?.scope == "code.prefix.hour")
            #expect(try await refusal(app, number, from: home) == nil)
        }
    }

    /// Guard: the owner's share exists however windows overlap (`CodeFirewall.knownRefusal`)
    @Test("the owner's share of codes exists even when the windows overlap badly")
    func windows() async throws {
        try await SignInApp.run { app in
            let number = try await owner(app)
            for index in 1...3 { #expect(try await refusal(app, number, from: stranger(index)) == nil) }
            // The strangers' window ends a moment before the number's own.
            try await app.postgres.execute(
                "UPDATE rate_counters SET window_ends_at = now() WHERE scope = 'code.number.hour.stranger'")
            for index in 4...5 { #expect(try await refusal(app, number, from: stranger(index)) == nil) }
            #expect(try await refusal(app, number, from: stranger(6))?.scope == "code.number.hour")
            for _ in 1...2 { #expect(try await refusal(app, number, from: home) == nil) }
            let refused = try await refusal(app, number, from: home)
            #expect(refused?.scope == "code.number.hour" && refused?.limit == 5)
        }
    }
}

@Suite("Addresses and what lies around them")
struct AddressLimitTests {
    private func refusals(
        _ app: SignInApp, from addresses: [String]
    ) async throws -> [String?] {
        var scopes: [String?] = []
        for address in addresses {
            scopes.append(
                try await app.refusal(of: Fixtures.phoneNumber().rawValue, from: ClientAddress(address))?
                    .scope.name)
        }
        return scopes
    }

    /// Guard: codes count for the blocks around an address (`CodeRateLimits.ofAddress`)
    @Test(
        "codes count for a block and a network, too, because one host may own many addresses",
        arguments: [
            // Six addresses of a /24, three others of its /16, and one of another network.
            (["192.0.2.1", "192.0.2.2", "192.0.2.3", "192.0.2.4", "192.0.2.5"], 4, "code.block.hour"),
            (
                [
                    "192.0.1.1", "192.0.2.1", "192.0.3.1", "192.0.4.1", "192.0.5.1", "192.0.6.1", "192.0.7.1",
                    "192.0.8.1", "192.0.9.1",
                ], 8, "code.network.hour"
            ),
            (
                ["2001:db8::1", "2001:db8:0:1::1", "2001:db8:0:2::1", "2001:db8:0:3::1", "2001:db8:0:4::1"],
                4, "code.block.hour"
            ),
            (
                [
                    "2001:db8::1", "2001:db8:0:100::1", "2001:db8:0:200::1", "2001:db8:0:300::1",
                    "2001:db8:0:400::1", "2001:db8:0:500::1", "2001:db8:0:600::1",
                ], 6, "code.site.hour"
            ),
            ((1...9).map { "2001:db8:\($0)::1" }, 8, "code.network.hour"),
        ])
    func blocks(addresses: [String], limit: Int, scope: String) async throws {
        try await SignInApp.run(configure: { configuration in
            configuration.limits.addressPerHour = 2
            configuration.limits.networkPerHour = 8
        }) { app in
            let scopes = try await refusals(app, from: addresses)
            #expect(scopes == Array(repeating: nil, count: limit) + [scope])
            #expect(try await refusals(app, from: ["198.51.100.1", "2001:db9::1"]) == [nil, nil])
        }
    }

    /// Guard: limits on addresses refill steadily (`RateCounterStore.increment`, `RateState.wait`)
    @Test(
        "an address that has used up its codes gets the next one after its part of the hour, not after the hour"
    )
    func trickles() async throws {
        try await SignInApp.run(configure: { $0.limits.addressPerHour = 6 }) { app in
            let home = ClientAddress("203.0.113.7")
            for _ in 1...6 {
                #expect(try await app.refusal(of: Fixtures.phoneNumber().rawValue, from: home) == nil)
            }
            let refused = try #require(
                try await app.refusal(of: Fixtures.phoneNumber().rawValue, from: home))
            #expect(refused.scope == "code.address.hour")
            #expect(refused.retryAfter <= .seconds(600) && refused.retryAfter > .seconds(500))
            try await app.postgres.execute(
                "UPDATE rate_counters SET window_ends_at = window_ends_at - interval '600 seconds'")
            #expect(try await app.refusal(of: Fixtures.phoneNumber().rawValue, from: home) == nil)
            #expect(try await app.refusal(of: Fixtures.phoneNumber().rawValue, from: home) != nil)
        }
    }

    /// Guard: a used code no longer counts against its address (`CodeFirewall.recordVerified`)
    @Test(
        "a code that is used no longer counts against its address: three people sign in with two codes an hour"
    )
    func givesBack() async throws {
        try await SignInApp.run(configure: { configuration in
            configuration.limits.addressPerHour = 2
            configuration.limits.networkPerHour = 2
        }) { app in
            for _ in 1...3 { _ = try await app.signIn() }
            for _ in 1...2 { #expect(try await app.requestCode(Fixtures.phoneNumber()).status == 202) }
            #expect(try await app.requestCode(Fixtures.phoneNumber()).status == 429)
        }
    }

    /// Guard: known pairs have a limit of their own at an address (`CodeRateLimits.ofKnownAddress`)
    @Test("strangers behind an address do not use up the codes for people who verified their number there")
    func knownPeople() async throws {
        try await SignInApp.run(configure: { $0.limits.addressPerHour = 2 }) { app in
            let number = Fixtures.phoneNumber()
            _ = try await app.signIn(number)
            for _ in 1...2 { #expect(try await app.requestCode(Fixtures.phoneNumber()).status == 202) }
            #expect(try await app.requestCode(Fixtures.phoneNumber()).status == 429)
            try await app.postgres.execute("DELETE FROM rate_counters WHERE scope = 'code.number.pause'")
            #expect(try await app.requestCode(number).status == 202)
        }
    }
}

@Suite("The ceiling under attack")
struct CeilingUnderAttackTests {
    private func stranger(_ index: Int) -> ClientAddress? {
        ClientAddress("\(11 + index % 200).\(index / 200).1.1")
    }

    /// Guard: the ceiling has parts: known pairs, invitations, calling codes (`MessageShares.room`)
    @Test(
        "a flood of one country's numbers leaves room for known owners and for new numbers of other countries"
    )
    func parts() async throws {
        var limits = MessageCeiling.Limits()
        limits.perDay = 60
        try await SignInApp.run(messageLimits: limits) { app in
            let owner = Fixtures.phoneNumber()
            let home = ClientAddress("203.0.113.7")
            try await app.postgres.transaction { tx in
                try app.auth.firewall.store.recordVerified(
                    tx, number: app.auth.limits.digest(owner.rawValue),
                    from: app.auth.limits.digest("203.0.113.7"))
            }
            var refused: RateLimited?
            var sent = 0
            for index in 0..<60 where refused == nil {
                refused = try await app.refusal(
                    of: "+1\(2_015_550_100 + index * 10_000)", from: stranger(index))
                if refused == nil { sent += 1 }
            }
            #expect(refused?.scope == "messages.day.calling_code")
            #expect(sent == 20)
            #expect(try await app.refusal(of: "+4915112345678", from: stranger(900)) == nil)
            #expect(try await app.refusal(of: owner.rawValue, from: home) == nil)
            // Invitations have a share of their own, and the rest is reserved for known owners.
            let take = { (purpose: MessagePurpose) in
                try await app.postgres.transaction {
                    try app.auth.limits.messages.take($0, upTo: 100, for: purpose)
                }
            }
            #expect(try await take(.invitation) == 15)
            await #expect(throws: RateLimited.self) { _ = try await take(.invitation) }
            #expect(try await take(.knownCode) == 60 - 20 - 1 - 1 - 15)
        }
    }
}
