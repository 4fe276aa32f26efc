import Crypto
import DaylyAPI
import DaylyTesting
import Foundation
import HTTPKit
import RateLimiting
import Testing

@testable import Auth

extension WorkChallenge {
    /// Nonces of messages that are good enough, or of such as are not.
    fileprivate func nonces(thatAre isGood: Bool = true) -> [Int] {
        let nonces = (0...).lazy.filter { nonce in
            var message = withUnsafeBytes(of: UInt64(nonce).bigEndian, Array.init) + Array(token.utf8)
            message += [UInt8](repeating: 0, count: bytes - message.count)
            let zeros = SHA256.hash(data: message).prefix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
                .leadingZeroBitCount
            return (zeros >= bits) == isGood
        }
        return Array(nonces.prefix(count))
    }

    fileprivate var proof: WorkProof { WorkProof(token: token, nonces: nonces()) }
}

/// The outcome of a request for a code.
private enum Outcome: Equatable {
    case sent
    case refused(String)
    case asked(String, bits: Int)

    var isAsked: Bool { if case .asked = self { true } else { false } }
}

@Suite("Work in place of a limit")
struct WorkPaymentTests {
    private static func address(_ network: Int) -> ClientAddress? { ClientAddress("203.\(network).113.7") }

    /// The service with work that costs a test nothing.
    private static func run(
        free: Double = 2, perDay: Int = 1_000, _ configure: @escaping (inout AuthSettings) -> Void = { _ in },
        _ body: @escaping @Sendable (SignInApp) async throws -> Void
    ) async throws {
        var limits = MessageCeiling.Limits()
        limits.perDay = perDay
        limits.isForOneCallingCode = true
        try await SignInApp.run(messageLimits: limits) { settings in
            settings.work = WorkPrice(free: free, bytes: 64, bits: 2, count: 2)
            configure(&settings)
        } _: {
            try await body($0)
        }
    }

    private static func challenge(
        _ app: SignInApp, _ number: PhoneNumber, from address: ClientAddress?, _ proof: WorkProof? = nil
    ) async throws -> (outcome: Outcome, challenge: WorkChallenge?) {
        try await app.postgres.execute("DELETE FROM rate_counters WHERE scope = 'code.number.pause'")
        do {
            _ = try await app.auth.requestVerification(
                phoneNumber: number.rawValue, proof: proof, from: address)
            return (.sent, nil)
        } catch AuthError.rateLimited(let limit) {
            return (.refused(limit.scope.name), nil)
        } catch AuthError.workNeeded(let limit, let challenge) {
            return (.asked(limit.scope.name, bits: challenge.bits), challenge)
        }
    }

    private static func outcome(
        _ app: SignInApp, _ number: PhoneNumber, from address: ClientAddress?, _ proof: WorkProof? = nil
    ) async throws -> Outcome {
        try await challenge(app, number, from: address, proof).outcome
    }

    /// Asks, and again with the work that the refusal asks for.
    private static func paid(
        _ app: SignInApp, _ number: PhoneNumber, from address: ClientAddress?
    ) async throws -> Outcome {
        let (outcome, challenge) = try await challenge(app, number, from: address)
        guard let challenge else { return outcome }
        return try await self.outcome(app, number, from: address, challenge.proof)
    }

    /// Uses up what strangers may ask for one number within an hour.
    private static func spend(_ app: SignInApp, _ number: PhoneNumber, from address: ClientAddress?)
        async throws
    {
        for _ in 1...3 { #expect(try await outcome(app, number, from: address) == .sent) }
    }

    /// Guard: from half of the strangers' share on a code costs work, whose price rises
    /// (`CodeFirewall.workNeeded`, `WorkPrice.doublings`)
    @Test(
        "when half of the strangers' part is gone a code costs work, whose price rises; a client without it gets a 429"
    )
    func ceiling() async throws {
        // Seventeen of forty for strangers.
        try await Self.run(free: 0.5, perDay: 40) { app in
            for index in 0..<9 {
                #expect(try await app.requestCode(Fixtures.phoneNumber()).status == 202, "\(index)")
            }
            let number = Fixtures.phoneNumber()
            let refused = try await app.requestCode(number)
            #expect(refused.status == 429 && refused.code == "rate_limited" && refused.retryAfter != nil)
            let challenge = try #require(try refused.decode(ProblemDocument.self).challenge)
            #expect(challenge.bytes == 64 && challenge.bits == 2 && challenge.count == 2)
            let nonces = challenge.proof.nonces.map(String.init).joined(separator: ",")
            let answer = try await app.call(
                .post, "auth/request-verification",
                #"{"phone_number": "\#(number.rawValue)", "proof": {"token": "\#(challenge.token)", "nonces": [\#(nonces)]}}"#
            )
            #expect(answer.status == 202)
            var bits: [Int] = []
            for _ in 10..<17 {
                let number = Fixtures.phoneNumber()
                let (outcome, asked) = try await Self.challenge(app, number, from: nil)
                bits.append(asked?.bits ?? 0)
                #expect(outcome.isAsked)
                #expect(try await Self.outcome(app, number, from: nil, asked?.proof) == .sent)
            }
            #expect(bits == [3, 4, 6, 7, 8, 9, 9])
            #expect(
                try await Self.outcome(app, Fixtures.phoneNumber(), from: nil)
                    == .refused("messages.day.strangers"))
        }
    }

    /// Guard: from half of the strangers' share on a code costs work, whose price rises
    /// (`CodeFirewall.workNeeded`, `WorkPrice.doublings`)
    @Test("the price doubles from half of a part on, up to a bound that a person can wait for")
    func price() {
        let price = WorkPrice()
        let uses = [0, 0.49, 0.5, 0.54, 0.56, 0.76, 0.86, 1]
        #expect(uses.map { price.doublings(atUse: $0) } == [nil, nil, 0, 0, 1, 5, 7, 7])
    }

    /// Guard: work gets codes for a number after its limits, few for one network, each at twice the price
    /// (`CodeRateLimits.ofWorker`, `CodeFirewall.workNeeded`)
    @Test("an owner elsewhere still gets codes by work after strangers have used up the number's")
    func owner() async throws {
        try await Self.run { app in
            let number = Fixtures.phoneNumber()
            let (mallory, owner) = (Self.address(1), Self.address(2))
            try await Self.spend(app, number, from: mallory)
            #expect(try await Self.outcome(app, number, from: owner) == .asked("code.number.hour", bits: 2))
            // One network gets two, and each makes the next one dearer.
            for bits in [2, 3] {
                let (outcome, challenge) = try await Self.challenge(app, number, from: mallory)
                #expect(outcome == .asked("code.number.hour", bits: bits))
                #expect(try await Self.outcome(app, number, from: mallory, challenge?.proof) == .sent)
            }
            #expect(try await Self.outcome(app, number, from: mallory) == .refused("code.number.hour"))
            #expect(try await Self.outcome(app, number, from: owner) == .asked("code.number.hour", bits: 4))
            #expect(try await Self.paid(app, number, from: owner) == .sent)
            for network in 3...20 { _ = try await Self.paid(app, number, from: Self.address(network)) }
            let worked = try await app.count(
                "SELECT used AS count FROM rate_counters WHERE scope = 'code.number.work'")
            #expect(worked == 10)
        }
    }

    /// Guard: work gets codes for a number after its limits, few for one network, each at twice the price
    /// (`CodeRateLimits.ofWorker`, `CodeFirewall.workNeeded`)
    @Test("an owner behind the address of whoever used up the owner's share, too, gets a code by work")
    func known() async throws {
        try await Self.run { app in
            let number = Fixtures.phoneNumber()
            let home = Self.address(1)
            try await app.postgres.transaction { tx in
                try app.auth.firewall.store.recordVerified(
                    tx, number: app.auth.limits.digest(number.rawValue),
                    from: app.auth.limits.digest(CodeRateLimits.subject(home)))
            }
            for _ in 1...5 { #expect(try await Self.outcome(app, number, from: home) == .sent) }
            #expect(try await Self.outcome(app, number, from: home).isAsked)
            #expect(try await Self.paid(app, number, from: home) == .sent)
        }
    }

    @Test("in a pause after wrong codes work gets a code that may be tried once")
    func pause() async throws {
        try await Self.run { app in
            let number = Fixtures.phoneNumber()
            try await app.postgres.transaction { tx in
                for _ in 1...15 {
                    try app.auth.limits.count(tx, [app.auth.firewall.rules.failures(of: number)])
                }
            }
            #expect(try await Self.outcome(app, number, from: nil) == .asked("guess.number.hour", bits: 2))
            let challenge = try await Self.challenge(app, number, from: nil).challenge
            let started = try await app.auth.requestVerification(
                phoneNumber: number.rawValue, proof: challenge?.proof, from: nil)
            let code = try await app.sms.code(to: number.rawValue)
            #expect(try await app.verify(started.id.rawValue.uuidString, wrong(code)).status == 401)
            #expect(try await app.verify(started.id.rawValue.uuidString, code).status == 429)
        }
    }

    /// Guard: work is done, signed, fresh, dear enough and spent once (`WorkProofs.proven`,
    /// `CodeFirewall.requirePayment`)
    @Test("work pays for one code, to one number, from one network, for ten minutes, at the present price")
    func bound() async throws {
        try await Self.run { app in
            let (number, other) = (Fixtures.phoneNumber(), Fixtures.phoneNumber())
            let here = Self.address(1)
            for number in [number, other] { try await Self.spend(app, number, from: here) }
            let proof = try #require(try await Self.challenge(app, number, from: here).challenge).proof
            #expect(try await Self.outcome(app, other, from: here, proof).isAsked)
            #expect(try await Self.outcome(app, number, from: Self.address(2), proof).isAsked)
            #expect(try await Self.outcome(app, number, from: ClientAddress("203.1.7.7"), proof) == .sent)
            #expect(try await Self.outcome(app, number, from: here, proof).isAsked, "spent")

            let subject = CodeRateLimits.subject(other, here)
            func work(_ doublings: Int, _ age: TimeInterval) -> WorkProof {
                app.auth.work.challenge(
                    doublings: doublings, for: subject, at: Date(timeIntervalSinceNow: -age)
                ).proof
            }
            #expect(try await Self.outcome(app, other, from: here, work(0, 660)).isAsked, "too old")
            #expect(try await Self.outcome(app, other, from: here, work(-2, 0)).isAsked, "too cheap")
            // The price may double while a client works.
            #expect(try await Self.outcome(app, other, from: here, work(-1, 540)) == .sent)
        }
    }

    /// Guard: work is done, signed, fresh, dear enough and spent once (`WorkProofs.proven`,
    /// `CodeFirewall.requirePayment`)
    @Test("two clients at once spend one piece of work once")
    func race() async throws {
        try await Self.run(configure) { app in
            let number = Fixtures.phoneNumber()
            try await Self.spend(app, number, from: nil)
            let proof = try await Self.challenge(app, number, from: nil).challenge?.proof
            let before = try await app.sent()
            let outcomes = try await atOnce(8) { _ in
                (try? await app.auth.requestVerification(
                    phoneNumber: number.rawValue, proof: proof, from: nil)) != nil
            }
            #expect(outcomes.count { $0 } == 1)
            #expect(try await app.sent() == before + 1)
        }
        // The pause between two codes must not be what refuses.
        @Sendable func configure(_ settings: inout AuthSettings) { settings.resendAfter = .zero }
    }

    /// Guard: work is done, signed, fresh, dear enough and spent once (`WorkProofs.proven`,
    /// `CodeFirewall.requirePayment`)
    @Test("work that is not done, done twice, or for a challenge of somebody else's is none")
    func forged() async throws {
        try await Self.run { app in
            let proofs = WorkProofs(keys: app.auth.keys.challenges, price: app.auth.configuration.work)
            let challenge = proofs.challenge(doublings: 0, for: "a", at: Date())
            let good = challenge.proof
            #expect(proofs.proven(good, for: "a")?.bits == 2)
            #expect(proofs.proven(good, for: "b") == nil)
            let bad = challenge.nonces(thatAre: false)
            for nonces in [
                [], [good.nonces[0]], [good.nonces[0], good.nonces[0]], good.nonces.reversed(), bad,
                [bad[0], good.nonces[1]].sorted(), [-1, good.nonces[0]], good.nonces + [good.nonces[1] + 1],
            ] {
                #expect(
                    proofs.proven(WorkProof(token: good.token, nonces: nonces), for: "a") == nil, "\(nonces)")
            }
            let others = WorkProofs(
                keys: AuthKeys(secret: Fixtures.otherSecret).challenges, price: app.auth.configuration.work)
            #expect(others.proven(good, for: "a") == nil)
            // Fewer bits than were signed.
            var token = Array(good.token)
            token[16] = token[16] == "A" ? "B" : "A"
            #expect(proofs.proven(WorkProof(token: String(token), nonces: good.nonces), for: "a") == nil)
            for token in [
                "", "A", "!", String(repeating: "A", count: 39), String(repeating: "A", count: 4_000),
            ] {
                #expect(proofs.proven(WorkProof(token: token, nonces: good.nonces), for: "a") == nil)
            }
        }
    }

    @Test("known and unknown numbers are asked for the same work")
    func alike() async throws {
        try await Self.run { app in
            let known = Fixtures.phoneNumber()
            _ = try await Fixtures.user(in: app.postgres, phone: known)
            var outcomes: [Outcome] = []
            for number in [known, Fixtures.phoneNumber()] {
                try await Self.spend(app, number, from: nil)
                outcomes.append(try await Self.outcome(app, number, from: nil))
                outcomes.append(try await Self.paid(app, number, from: nil))
            }
            #expect(outcomes[0] == outcomes[2] && outcomes[1] == .sent && outcomes[3] == .sent)
        }
    }
}
