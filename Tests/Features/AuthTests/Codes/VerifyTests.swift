import DaylyAPI
import DaylyTesting
import Foundation
import Testing

@testable import Auth

@Suite("Presenting a code")
struct VerifyTests {
    @Test("the right code signs a new user in, with name and time zone")
    func signsIn() async throws {
        try await SignInApp.run { app in
            let number = Fixtures.phoneNumber()
            let signedIn = try await app.signIn(
                number,
                #", "first_name": "  Zoe\u0308 ", "time_zone": "Europe/Berlin", "device_name": "Pixel 9""#)
            #expect(signedIn.isNewUser == true)
            #expect(signedIn.tokenType == "Bearer")
            #expect(signedIn.expiresIn == 900)
            #expect(signedIn.user.phoneNumber == number.rawValue)
            #expect(signedIn.user.firstName == "Zoë")
            #expect(signedIn.user.timeZone == "Europe/Berlin")
            #expect(signedIn.user.discoverable)
            #expect(try await app.me(signedIn.accessToken).decode(User.self) == signedIn.user)
        }
    }

    /// Guard: a deletion locks verifications before the user, as a sign-in does
    /// (`UserStore.lockVerifications`)
    @Test(
        "a deletion waits for a sign-in before it locks the user, so that neither waits for the other in turn"
    )
    func deletion() async throws {
        try await SignInApp.run { app in
            let number = Fixtures.phoneNumber()
            let user = try await Fixtures.user(in: app.postgres, phone: number)
            _ = try await app.requestCode(number)
            let deletion = try await app.postgres.holding("SELECT 1 FROM verifications FOR UPDATE") {
                let deletion = Task { try await app.auth.delete(user) }
                try await app.postgres.untilWaiting()
                try await app.postgres.execute(
                    "SELECT 1 FROM users WHERE id = \(user) FOR NO KEY UPDATE NOWAIT")
                return deletion
            }
            try await deletion.value
        }
    }

    @Test("a known number signs the same user in; name and time zone are not overwritten")
    func knownUser() async throws {
        try await SignInApp.run { app in
            let number = Fixtures.phoneNumber()
            let id = try await Fixtures.user(in: app.postgres, phone: number, timeZone: "Asia/Tokyo")
            let signedIn = try await app.signIn(number, #", "first_name": "Eve", "time_zone": "UTC""#)
            #expect(signedIn.isNewUser == false)
            #expect(signedIn.user.id.uuid == id.rawValue)
            #expect(signedIn.user.firstName == "Ada")
            #expect(signedIn.user.timeZone == "Asia/Tokyo")
        }
    }

    @Test("without name and time zone a new user has none and UTC")
    func defaults() async throws {
        try await SignInApp.run { app in
            let signedIn = try await app.signIn()
            #expect(signedIn.user.firstName == nil)
            #expect(signedIn.user.timeZone == "UTC")
        }
    }

    /// Guard: a wrong code counts, and the count is committed although the answer is an error
    /// (`AuthService.decide`)
    @Test("five wrong codes use up the attempts, and then even the right code is refused")
    func attempts() async throws {
        try await SignInApp.run(enforceRates: false) { app in
            let (id, code) = try await app.startedVerification(Fixtures.phoneNumber())
            for remaining in [4, 3, 2, 1, 0] {
                let answer = try await app.verify(id, wrong(code, remaining + 1))
                #expect(answer.status == 401)
                #expect(answer.code == "verification_failed")
                #expect(answer.attemptsRemaining == remaining)
                #expect(answer.headers[.wwwAuthenticate] != nil)
            }
            for presented in [wrong(code), code] {
                let answer = try await app.verify(id, presented)
                #expect(answer.status == 429)
                #expect(answer.code == "too_many_attempts")
                #expect(answer.retryAfter != nil)
            }
            #expect(try await app.count("SELECT count(*) AS count FROM sessions") == 0)
        }
    }

    @Test("the fifth attempt may still succeed")
    func lastTry() async throws {
        try await SignInApp.run { app in
            let (id, code) = try await app.startedVerification(Fixtures.phoneNumber())
            for offset in 1...4 { _ = try await app.verify(id, wrong(code, offset)) }
            #expect(try await app.verify(id, code).status == 200)
        }
    }

    /// Guard: a code that was right is marked as used (`AuthService.decide`)
    /// Guard: an expired code is refused (`VerificationStore.lockIfPresent`)
    @Test("used, expired, unknown and malformed verifications get one answer")
    func alike() async throws {
        try await SignInApp.run(enforceRates: false) { app in
            let used = try await app.startedVerification(Fixtures.phoneNumber())
            #expect(try await app.verify(used.id, used.code).status == 200)
            let expired = try await app.startedVerification(Fixtures.phoneNumber())
            try await app.postgres.execute(
                "UPDATE verifications SET expires_at = now() WHERE id = \(UUID(uuidString: expired.id))")
            let cases = [
                used, expired, (id: UUID().uuidString.lowercased(), code: "123456"),
                (id: "nonsense", code: "123456"), (id: "", code: "123456"),
            ]
            var bodies: Set<String> = []
            for (id, code) in cases {
                let answer = try await app.verify(id, code)
                #expect(answer.status == 401)
                #expect(answer.attemptsRemaining == 0)
                bodies.insert(answer.text.replacing(#/"request_id":"[^"]*"/#, with: ""))
            }
            #expect(bodies.count == 1)
        }
    }

    /// Guard: a code that is not six digits costs no attempt (`VerificationAttempt`)
    @Test("a code that is not six digits is 400 with a pointer and costs no attempt")
    func malformedCodes() async throws {
        try await SignInApp.run { app in
            let (id, code) = try await app.startedVerification(Fixtures.phoneNumber())
            let texts = [
                "", "12345", "1234567", "abcdef", "12345a", String(repeating: " ", count: 1_001),
            ]
            for text in texts {
                let answer = try await app.verify(id, text)
                #expect(answer.status == 400 && answer.code == "invalid_request")
                #expect(answer.text.contains("/code"))
            }
            #expect(try await app.verify(id, wrong(code)).attemptsRemaining == 4)
            #expect(try await app.verify(id, code).status == 200)
        }
    }

    /// Guard: words and other services' codes in a pasted text are not guesses (`OneTimeCode.words`)
    @Test("a code is read with spaces and dashes, in the digits of any script, and within its message")
    func typedCodes() async throws {
        for outside in try outsideCases("verification-codes.json", of: OutsideText.self) {
            #expect(OneTimeCode(typed: outside.input)?.text == outside.want, "\(outside.from)")
        }
        try await SignInApp.run { app in
            let (id, code) = try await app.startedVerification(Fixtures.phoneNumber())
            #expect(try await app.verify(id, "Code: \(wrong(code)).").attemptsRemaining == 4)
            let message = "Your Dayly verification code is: \(code)\\n\\n@localhost #\(code)"
            #expect(try await app.verify(id, message).status == 200)
        }
    }

    @Test("a code is valid only for its own verification")
    func boundToItsVerification() async throws {
        try await SignInApp.run { app in
            let mine = try await app.startedVerification(Fixtures.phoneNumber())
            var theirs = try await app.startedVerification(Fixtures.phoneNumber())
            while theirs.code == mine.code {
                theirs = try await app.startedVerification(Fixtures.phoneNumber())
            }
            #expect(try await app.verify(theirs.id, mine.code).status == 401)
        }
    }

    /// Guard: a verification's row is locked before it is judged (`VerificationStore.lockIfPresent`)
    @Test("fifty requests with the right code at once get one pair of tokens")
    func raceOfRightCodes() async throws {
        try await SignInApp.run { app in
            let (id, code) = try await app.startedVerification(Fixtures.phoneNumber())
            let statuses = try await app.holding("SELECT id FROM verifications FOR UPDATE") {
                try await atOnce(50) { _ in try await app.verify(id, code).status }
            }
            #expect(statuses.filter { $0 == 200 }.count == 1)
            #expect(statuses.filter { $0 == 401 }.count == 49)
            #expect(try await app.count("SELECT count(*) AS count FROM sessions") == 1)
        }
    }

    /// Guard: a verification's row is locked before it is judged (`VerificationStore.lockIfPresent`)
    @Test("of fifty guesses at once, five are compared")
    func raceOfGuesses() async throws {
        try await SignInApp.run(enforceRates: false) { app in
            let (id, code) = try await app.startedVerification(Fixtures.phoneNumber())
            let answers = try await atOnce(50) { try await app.verify(id, wrong(code, $0 + 1)) }
            #expect(answers.compactMap(\.attemptsRemaining).sorted() == [0, 1, 2, 3, 4])
            #expect(answers.filter { $0.status == 429 }.count == 45)
            #expect(try await app.verify(id, code).status == 429)
        }
    }

    /// Guard: a new number makes one user (`UserStore.findOrCreate`)
    @Test("two codes of a new number presented at once make one user")
    func raceOfNewUsers() async throws {
        try await SignInApp.run(enforceRates: false) { app in
            let number = Fixtures.phoneNumber()
            var started: [(id: String, code: String)] = []
            for count in 1...10 { started.append(try await app.startedVerification(number, count: count)) }
            let pairs = started
            let answers = try await atOnce(10) { try await app.verify(pairs[$0].id, pairs[$0].code) }
            #expect(answers.allSatisfy { $0.status == 200 })
            let users = try answers.map { try $0.decode(TokenResponse.self) }
            #expect(Set(users.map(\.user.id)).count == 1)
            #expect(users.filter { $0.isNewUser == true }.count == 1)
        }
    }

    @Test(
        "names and zones that break the rules are 400 and use up no attempt",
        arguments: [
            (#", "first_name": """#, "/first_name"), (#", "first_name": "a\u202Eb""#, "/first_name"),
            (#", "first_name": 7"#, "/first_name"), (#", "time_zone": "FOO-167""#, "/time_zone"),
            (#", "time_zone": "europe/berlin""#, "/time_zone"), (#", "time_zone": """#, "/time_zone"),
            (#", "device_name": "\t""#, "/device_name"),
        ])
    func invalidMembers(more: String, pointer: String) async throws {
        try await SignInApp.run { app in
            let (id, code) = try await app.startedVerification(Fixtures.phoneNumber())
            let answer = try await app.verify(id, code, more)
            #expect(answer.status == 400)
            #expect(answer.code == "invalid_request")
            #expect(answer.text.contains(pointer))
            #expect(try await app.verify(id, code).status == 200)
        }
    }
}

@Suite("Limits on guessing")
struct GuessLimitTests {
    /// Uses up the fifteen failures of an hour on three verifications.
    private func spendFailures(_ app: SignInApp, _ number: PhoneNumber) async throws {
        for count in 1...3 {
            try await app.postgres.execute("DELETE FROM rate_counters WHERE scope LIKE 'code.%'")
            let (id, code) = try await app.startedVerification(number, count: count)
            for offset in 1...5 { _ = try await app.verify(id, wrong(code, offset)) }
        }
        try await app.postgres.execute("DELETE FROM rate_counters WHERE scope LIKE 'code.%'")
    }

    /// Guard: failures count per number and stop new codes (`AuthService`)
    @Test("after fifteen failures in an hour, over all its codes, a number gets no new code")
    func noNewCode() async throws {
        try await SignInApp.run { app in
            let number = Fixtures.phoneNumber()
            try await spendFailures(app, number)
            let answer = try await app.requestCode(number)
            #expect(answer.status == 429)
            #expect(answer.code == "rate_limited")
            #expect((3_000...3_600).contains(answer.retryAfter ?? 0))
            #expect(try await app.requestCode(Fixtures.phoneNumber()).status == 202)
        }
    }

    /// Guard: a code sent before the pause may be tried once (`AuthService.decide`)
    @Test("a code that was sent before the failures can be tried once, and the right one signs in")
    func codeUnderWay() async throws {
        try await SignInApp.run { app in
            let number = Fixtures.phoneNumber()
            let mine = try await app.startedVerification(number)
            let other = try await { () async throws -> (id: String, code: String) in
                try await app.forgetLimits()
                return try await app.startedVerification(number, count: 2)
            }()
            for count in 3...5 {
                try await app.postgres.execute("DELETE FROM rate_counters WHERE scope LIKE 'code.%'")
                let (id, code) = try await app.startedVerification(number, count: count)
                for offset in 1...5 { _ = try await app.verify(id, wrong(code, offset)) }
            }
            #expect(try await app.verify(other.id, wrong(other.code)).status == 401)
            let second = try await app.verify(other.id, other.code)
            #expect(second.status == 429)
            #expect(second.code == "rate_limited")
            #expect(try await app.verify(mine.id, mine.code).status == 200)
        }
    }

    @Test("without rate limits the attempts per code are still counted")
    func notEnforced() async throws {
        try await SignInApp.run(enforceRates: false) { app in
            let number = Fixtures.phoneNumber()
            for count in 1...4 {
                let (id, code) = try await app.startedVerification(number, count: count)
                for offset in 1...5 { #expect(try await app.verify(id, wrong(code, offset)).status == 401) }
                #expect(try await app.verify(id, code).status == 429)
            }
        }
    }
}
