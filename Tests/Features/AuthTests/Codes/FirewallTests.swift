import DaylyTesting
import Foundation
import HTTPKit
import KeyDerivation
import Messaging
import Postgres
import RateLimiting
import Testing

@testable import Auth

/// Another number of the same prefix at each index below 10,000.
private func number(_ index: Int, prefix: String = "+1415555") -> String {
    prefix + String(String(10_000 + index).dropFirst())
}

/// An address of a network of its own, for the first 40,000.
private func address(_ index: Int) -> ClientAddress? {
    ClientAddress("\(11 + index % 200).\(index / 200 % 200).113.7")
}

extension MessageCeiling.Limits {
    /// A ceiling that one calling code may use up, except for the shares of other purposes.
    fileprivate init(perMinute: Int = 1_000, perDay: Int = 1_000, isForOneCallingCode: Bool = true) {
        self.init()
        self.perMinute = perMinute
        self.perDay = perDay
        self.isForOneCallingCode = isForOneCallingCode
    }
}

extension SignInApp {
    /// The limit that refused, nil when a code was sent.
    func refusal(of text: String, from address: ClientAddress? = nil, by auth: AuthService? = nil)
        async throws
        -> RateLimited?
    {
        do {
            _ = try await (auth ?? self.auth).requestVerification(phoneNumber: text, from: address)
            return nil
        } catch let error as AuthError {
            return try error.limit
        }
    }

    func sent() async throws -> Int { try await count("SELECT count(*) AS count FROM verifications") }
}

extension AuthError {
    /// The limit that refused, whether work would lift it or not.
    var limit: RateLimited {
        get throws {
            switch self {
            case .rateLimited(let limit), .workNeeded(let limit, _): return limit
            default: throw self
            }
        }
    }
}

@Suite("The SMS firewall")
struct FirewallTests {
    /// Guard: the ceiling's row is locked while messages are counted (`MessageCeiling.take`)
    @Test("a flood over two instances never sends more messages than the ceiling of a minute or of a day")
    func ceiling() async throws {
        // The whole attack: DAYLY_TEST_SMS_FLOOD=10000.
        let requests = ProcessInfo.processInfo.environment["DAYLY_TEST_SMS_FLOOD"].flatMap { Int($0) } ?? 200
        for (minute, day) in [(37, 1_000), (1_000, 41)] {
            let limits = MessageCeiling.Limits(perMinute: minute, perDay: day)
            let messageLimits = limits
            try await SignInApp.run(queueCapacity: max(1_000, requests), messageLimits: limits) { app in
                try await app.withTwo(messageLimits) { instances in
                    let refusals = try await atOnce(requests) {
                        try await app.refusal(
                            of: number($0 % 10_000, prefix: "+1\(200_000 + $0)"), from: address($0),
                            by: instances[$0 % 2])
                    }
                    // Without the third for known pairs and the quarter for invitations.
                    let expected = min(minute, day) == 37 ? 16 : 18
                    #expect(refusals.filter { $0 == nil }.count == expected)
                    #expect(try await app.sent() == expected)
                    #expect(app.sms.messages.count <= expected)
                    let scope = minute < day ? "messages.minute.strangers" : "messages.day.strangers"
                    #expect(refusals.allSatisfy { $0 == nil || $0?.scope.name == scope })
                }
            }
        }
    }

    /// Guard: the ceiling slides (`MessageTallyStore.within`)
    @Test("the minute of the ceiling slides: a message makes room after a minute, and not before")
    func sliding() async throws {
        try await SignInApp.run(messageLimits: .init(perMinute: 3)) { app in
            for index in 1...2 { #expect(try await app.refusal(of: number(index)) == nil) }
            for (shift, isSent) in [(0, false), (55, false), (7, true)] {
                try await app.postgres.execute(
                    """
                    UPDATE message_tally SET bucket = bucket - \(Duration.seconds(shift))
                    WHERE unit = 'second'
                    """)
                try await app.postgres.execute(
                    """
                    UPDATE message_parts SET bucket = bucket - \(Duration.seconds(shift))
                    WHERE unit = 'second'
                    """)
                let refusal = try await app.refusal(of: number(3 + shift))
                #expect((refusal == nil) == isSent)
                if let refusal { #expect(refusal.retryAfter <= .seconds(61) && refusal.retryAfter > .zero) }
            }
        }
    }

    @Test("a refused request is not counted against the ceiling")
    func undone() async throws {
        try await SignInApp.run { app async throws in
            #expect(try await app.refusal(of: number(1)) == nil)
            #expect(try await app.refusal(of: number(1))?.scope == "code.number.pause")
            #expect(
                try await app.count("SELECT sum(sent) AS count FROM message_tally WHERE unit = 'minute'") == 1
            )
        }
    }

    /// Guard: codes of a prefix are counted; a failing prefix is closed (`CodeFirewall`)
    @Test("numbers of one prefix get a hundred codes an hour together")
    func prefix() async throws {
        try await SignInApp.run(configure: { $0.limits.prefixPerHour = 10 }) { app in
            try await app.withTwo { instances in
                let refusals = try await atOnce(30) {
                    try await app.refusal(of: number($0), from: address($0), by: instances[$0 % 2])
                }
                #expect(refusals.filter { $0 == nil }.count == 10)
                #expect(refusals.compactMap(\.?.scope).allSatisfy { $0 == "code.prefix.hour" })
                #expect(try await app.refusal(of: number(1, prefix: "+1415556"), from: address(99)) == nil)
            }
        }
    }

    /// Guard: codes of a prefix are counted; a failing prefix is closed (`CodeFirewall`)
    @Test(
        "a prefix whose codes are hardly ever used is closed for an hour, and then counted from the beginning"
    )
    func breaker() async throws {
        try await SignInApp.run(configure: { $0.limits.prefixSample = 10 }) { app in
            // Two of ten are twenty percent.
            for index in 0..<10 {
                let phone = try #require(PhoneNumber(rawValue: number(index)))
                if index < 2 {
                    _ = try await app.signIn(phone)
                } else {
                    #expect(try await app.refusal(of: phone.rawValue) == nil)
                }
            }
            #expect(try await app.refusal(of: number(10)) == nil)
            let closed = try await app.refusal(of: number(11))
            #expect(closed?.scope == "code.prefix.closed")
            #expect(
                closed.map { $0.retryAfter > .seconds(3_500) && $0.retryAfter <= .seconds(3_600) } == true)
            #expect(try await app.refusal(of: number(11))?.scope == "code.prefix.closed")
            #expect(try await app.refusal(of: number(1, prefix: "+1415556")) == nil)
            try await app.postgres.execute("UPDATE closed_prefixes SET closed_until = now()")
            for index in 20..<30 { #expect(try await app.refusal(of: number(index)) == nil) }
            #expect(try await app.refusal(of: number(30))?.scope == "code.prefix.closed")
        }
    }

    @Test("a refusal names its limit and its end, and a code says when the next one may follow")
    func headers() async throws {
        try await SignInApp.run { app in
            let phone = Fixtures.phoneNumber()
            let sent = try await app.requestCode(phone)
            #expect(sent.headers[.rateLimit] == #""code.number.pause";r=0;t=30"#)
            #expect(sent.headers[.rateLimitPolicy] == #""code.number.pause";q=1;w=30"#)
            let refused = try await app.requestCode(phone)
            #expect(refused.headers[.rateLimitPolicy] == #""code.number.pause";q=1;w=30"#)
            let wait = try #require(refused.retryAfter)
            #expect(refused.headers[.rateLimit] == #""code.number.pause";r=0;t=\#(wait)"#)
        }
        var none = MessageCeiling.Limits()
        none.perDay = 1
        try await SignInApp.run(messageLimits: none) { app in
            _ = try await app.requestCode(Fixtures.phoneNumber())
            let refused = try await app.requestCode(Fixtures.phoneNumber())
            #expect(refused.status == 429 && refused.retryAfter != nil)
            #expect(refused.headers[.rateLimit] == nil)
        }
    }

    @Test("the firewall's rows hold neither numbers nor addresses, and a deleted account's rows are deleted")
    func remembersDigests() async throws {
        try await SignInApp.run { app in
            let token = try await app.signIn()
            #expect(try await app.count("SELECT count(*) AS count FROM verified_addresses") == 1)
            #expect(
                try await app.count(
                    """
                    SELECT count(*) AS count FROM verified_addresses, code_sends
                    WHERE octet_length(number) = 32 AND octet_length(address) = 32 AND octet_length(prefix) = 32
                    """) == 1)
            #expect(try await app.call(.delete, "users/me", token: token.accessToken).status == 204)
            #expect(try await app.count("SELECT count(*) AS count FROM verified_addresses") == 0)
        }
    }
}

/// Guard: a reviewer's code ends, and wrong guesses at it count (`ReviewNumber.isOpen`, `CodeFirewall.admit`)
@Suite("Reviewers' numbers")
struct ReviewNumberTests {
    private func entry(_ days: Int, _ phone: String = "+14155550199") throws -> ReviewNumber {
        let day = Date(timeIntervalSinceNow: Double(days) * 86_400).formatted(.iso8601.year().month().day())
        return try #require(ReviewNumber("\(phone)=246810@\(day)"))
    }

    @Test("a reviewer's number has a fixed code, gets no message, and has the usual limits on guesses")
    func review() async throws {
        let review = try entry(5)
        try await SignInApp.run(configure: { $0.reviewNumbers = [review] }) { app in
            let answer = try await app.requestCode(review.number)
            let id = try #require(answer.member("verification_id"))
            #expect(try await app.verify(id, "246811").status == 401)
            #expect(try await app.verify(id, "246810").status == 200)
            #expect(app.sms.messages.isEmpty)
            #expect(try await app.count("SELECT count(*) AS count FROM message_tally") == 0)
            try await app.postgres.transaction { tx in
                for _ in 1...15 {
                    try app.auth.limits.count(tx, [app.auth.firewall.rules.failures(of: review.number)])
                }
            }
            try await app.postgres.execute("DELETE FROM rate_counters WHERE scope LIKE 'code.%'")
            // The address has never verified the number.
            let refusal = try await app.refusal(of: review.number.rawValue, from: address(1))
            #expect(refusal?.scope == "guess.number.hour")
        }
    }

    /// Guard: the sandbox counts for reviewers, until the end of their last day, and in no total
    /// (`ReceiptVerifier.transaction(_:of:)`, `Accounts.isReviewer`, `CompanionPurchaseService.isCounted`)
    @Test("a user with a reviewer's number reviews the app until the end of its last day")
    func reviewer() async throws {
        let (open, over) = (try entry(5), try entry(-2))
        try await SignInApp.run { app in
            func isReviewer(_ number: PhoneNumber, _ reviewers: [ReviewNumber]) async throws -> Bool {
                let user = try await app.postgres.transaction { tx in
                    try UserStore(postgres: app.postgres).findOrCreate(
                        tx, number, firstName: nil, timeZone: nil
                    ).user.id
                }
                let accounts = Accounts(
                    postgres: app.postgres, tokens: try await Fixtures.accessTokens(), reviewers: reviewers)
                return try await accounts.isReviewer(user)
            }
            let other = try #require(PhoneNumberParser().parse("+4915112345678"))
            #expect(try await isReviewer(open.number, [open]))
            #expect(try await !isReviewer(open.number, [over]))
            #expect(try await !isReviewer(other, [open]))
            #expect(try await !isReviewer(open.number, []))
        }
    }

    @Test("after its last day a reviewer's number is an ordinary number")
    func ended() async throws {
        let review = try entry(-2)
        try await SignInApp.run(configure: { $0.reviewNumbers = [review] }) { app in
            let (id, code) = try await app.startedVerification(review.number)
            if code != "246810" { #expect(try await app.verify(id, "246810").status == 401) }
            #expect(try await app.verify(id, code).status == 200)
        }
    }

    @Test(
        "a text that is not an entry is refused",
        arguments: [
            "", "+14155550199", "+14155550199=246810", "+14155550199=24681@2026-12-31",
            "+14155550199=24681a@2026-12-31",
            "+14155550199=246810@2026-13-31", "+14155550199=246810@never", "4155550199=246810@2026-12-31",
        ])
    func malformed(text: String) {
        #expect(ReviewNumber(text) == nil)
    }

    @Test("a shown entry holds neither the code nor the number")
    func masked() throws {
        let shown = try entry(5).masked
        #expect(!shown.contains("246810") && !shown.contains("4155550199"))
    }
}

@Suite("Explaining why no code comes")
struct CodeExplanationTests {
    private func diagnosis(
        _ app: SignInApp, _ text: String, from address: ClientAddress? = nil
    ) async throws -> CodeDiagnosis {
        try await CodeExplanation(
            postgres: app.postgres, limits: app.auth.limits, configuration: app.auth.configuration
        ).explain(text, from: address)
    }

    private func barring(_ diagnosis: CodeDiagnosis) -> Set<String> {
        Set(diagnosis.checks.filter(\.bars).map(\.name))
    }

    /// Guard: everything made with a previous secret is recognised (`KeyRing.isValid`, `.codes`)
    @Test(
        "an address that verified a number under the previous secret is known, and a closed prefix stays closed"
    )
    func changedSecret() async throws {
        try await SignInApp.run { app in
            let phone = Fixtures.phoneNumber()
            let before = app.auth.limits
            try await app.postgres.transaction { tx in
                try app.auth.firewall.store.recordVerified(
                    tx, number: before.digest(phone.rawValue),
                    from: before.digest(CodeRateLimits.subject(ClientAddress("192.0.2.1"))))
            }
            try await app.auth.firewall.store.close([before.digest(phone.prefix)], for: .seconds(600))
            for (previous, isKnown) in [([Fixtures.secret], true), ([], false)] {
                let limits = Fixtures.rateLimits(
                    app.postgres, secrets: ServiceSecrets(Fixtures.otherSecret, previous: previous))
                let explanation = CodeExplanation(
                    postgres: app.postgres, limits: limits, configuration: app.auth.configuration)
                let known = try await explanation.explain(phone.rawValue, from: ClientAddress("192.0.2.1"))
                #expect(
                    known.checks.first { $0.name == "address" }?.note?.hasPrefix("has verified") == isKnown)
                let stranger = try await explanation.explain(phone.rawValue, from: nil)
                #expect(stranger.checks.first { $0.name == "code.prefix.closed" }?.bars == isKnown)
            }
        }
    }

    /// Guard: codes that were sent under another secret close a prefix once (`FirewallStore.close`)
    @Test(
        "the codes for which a prefix was closed do not close it again, also if they were sent under the previous secret"
    )
    func closedOnce() async throws {
        try await SignInApp.run { app in
            let store = app.auth.firewall.store
            let (old, new) = ([UInt8](repeating: 1, count: 16), [UInt8](repeating: 2, count: 16))
            for prefix in [new, old, old] {
                _ = try await app.postgres.transaction { tx in try store.recordSend(tx, prefix) }
            }
            #expect(try await store.prefixState([new, old], sample: 3).sends == 3)
            try await store.close([new, old], for: .zero)
            #expect(try await store.prefixState([new, old], sample: 3).sends == 0)
        }
    }

    @Test("each limit that would refuse is named; nothing is sent or counted, and the number is masked")
    func names() async throws {
        try await SignInApp.run(
            messageLimits: .init(perDay: 6), configure: { $0.limits.prefixSample = 3 }
        ) { app in
            let fresh = try await diagnosis(app, number(1))
            #expect(fresh.wouldSend && fresh.number == "+14•••••••01")
            for index in 1...3 { #expect(try await app.refusal(of: number(index)) == nil) }
            let before = try await app.count("SELECT sum(used) AS count FROM rate_counters")
            let barred = try await diagnosis(app, number(1))
            #expect(barring(barred) == ["code.number.pause", "code.prefix.closed", "messages.day.strangers"])
            #expect(!barred.wouldSend)
            #expect(try await app.count("SELECT sum(used) AS count FROM rate_counters") == before)
            #expect(try await app.sent() == 3)
            let text = String(decoding: try JSONEncoder().encode(barred), as: UTF8.self)
            #expect(!text.contains("4155550001"))
        }
    }

    @Test(
        "a refusal for the number's own kind is explained without the number",
        arguments: ["nonsense", "+1234567", "+19005551234"])
    func numbers(text: String) async throws {
        try await SignInApp.run { app in
            let diagnosis = try await diagnosis(app, text)
            #expect(barring(diagnosis) == ["number"])
            #expect(diagnosis.number == nil)
        }
    }

    @Test("an unserved country, a pause after guesses and a known address are explained")
    func more() async throws {
        try await SignInApp.run(configure: { $0.countries = ["49"] }) { app in
            #expect(barring(try await diagnosis(app, number(1))) == ["number"])
            let phone = Fixtures.phoneNumber()
            try await app.postgres.transaction { tx in
                for _ in 1...15 {
                    try app.auth.limits.count(tx, [app.auth.firewall.rules.failures(of: phone)])
                }
                try app.auth.firewall.store.recordVerified(
                    tx, number: app.auth.limits.digest(phone.rawValue),
                    from: app.auth.limits.digest("192.0.2.1"))
            }
            #expect(barring(try await diagnosis(app, phone.rawValue)) == ["guess.number.hour"])
            let diagnosis = try await diagnosis(app, phone.rawValue, from: ClientAddress("192.0.2.1"))
            #expect(diagnosis.wouldSend)
            #expect(!diagnosis.checks.contains { $0.name.hasSuffix("stranger") })
        }
    }
}
