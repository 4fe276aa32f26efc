import DaylyAPI
import DaylyTesting
import Foundation
import HTTPKit
import RateLimiting
import Testing

@testable import Auth

@Suite("Asking for a code")
struct RequestVerificationTests {
    @Test(
        "the answer names the verification and its times, and the SMS has the code and the line for autofill")
    func answersAndSends() async throws {
        try await SignInApp.run { app in
            let number = Fixtures.phoneNumber()
            let answer = try await app.requestCode(number)
            #expect(answer.status == 202)
            let started = try answer.decode(VerificationStarted.self)
            #expect(started.expiresIn == 300)
            #expect(started.resendAfter == 30)
            #expect(abs(started.expiresAt.timeIntervalSinceNow - 300) < 30)
            let message = try #require(try await app.sms.messages(to: number.rawValue).first)
            let code = try await app.sms.code(to: number.rawValue)
            #expect(code.count == 6)
            #expect(
                message.body == "Your Dayly verification code is: \(code)\n\n@dayly.example #\(code)")
        }
    }

    /// Guard: all forms of a line are one number (`NumberingPlanChange`, `PhoneNumberFacts`)
    @Test("a line has one account and one wait, whichever of its forms asks for a code")
    func oneLine() async throws {
        try await SignInApp.run { app in
            let number = try #require(PhoneNumber(rawValue: "+5491112345678"))
            let user = try await app.signIn(number).user
            #expect(user.phoneNumber == number.rawValue)
            let ask = #"{"phone_number": "tel:+54-11-15-1234-5678"}"#
            #expect(try await app.call(.post, "auth/request-verification", ask).status == 429)
            try await app.forgetLimits()
            let answer = try await app.call(.post, "auth/request-verification", ask)
            let code = try await app.sms.code(to: number.rawValue, count: 2)
            let again = try await app.verify(try #require(answer.member("verification_id")), code)
            #expect(try again.decode(TokenResponse.self).user.id == user.id)
        }
    }

    @Test("a number without its plus is told what it lacks")
    func withoutPlus() async throws {
        try await SignInApp.run { app in
            for text in ["004915123456789", "4915123456789", "015123456789"] {
                let answer = try await app.call(
                    .post, "auth/request-verification", #"{"phone_number": "\#(text)"}"#)
                #expect(answer.status == 400 && answer.code == "invalid_phone_number")
                #expect(answer.text.contains("a + and its country code (not 00)"))
            }
        }
    }

    @Test("the Android app's hash follows on the last line where it is configured")
    func androidHash() async throws {
        try await SignInApp.run(configure: { $0.androidHash = "FA+9qCX9VSu" }) { app in
            let number = Fixtures.phoneNumber()
            _ = try await app.requestCode(number)
            let message = try #require(try await app.sms.messages(to: number.rawValue).first)
            let code = try await app.sms.code(to: number.rawValue)
            #expect(message.body.hasSuffix("\n\n@dayly.example #\(code) FA+9qCX9VSu"))
            #expect(message.body.utf8.count <= 140)
        }
    }

    @Test("known and unknown numbers are answered alike, down to the headers")
    func knownAndUnknownAlike() async throws {
        try await SignInApp.run { app in
            let known = Fixtures.phoneNumber()
            _ = try await Fixtures.user(in: app.postgres, phone: known)
            var shapes: [String] = []
            for number in [known, Fixtures.phoneNumber()] {
                let answer = try await app.requestCode(number)
                let names = answer.headers.map(\.name.canonicalName).sorted().joined(separator: ",")
                let members = try JSONDecoder().decode(
                    [String: Either].self, from: Data(answer.body.readableBytesView))
                shapes.append("\(answer.status) \(names) \(members.keys.sorted()) \(answer.text.utf8.count)")
            }
            #expect(shapes[0] == shapes[1])
        }
    }

    private struct Either: Decodable {
        init(from decoder: any Decoder) throws {}
    }

    /// Guard: a code's hash covers its verification's id (`OneTimeCode`)
    @Test("the database does not hold the code, and its hash differs in every row")
    func storedAsKeyedHash() async throws {
        try await SignInApp.run(enforceRates: false) { app in
            let (id, code) = try await app.startedVerification(Fixtures.phoneNumber())
            let row = try #require(
                try await app.postgres.first(
                    "SELECT code_hmac, encode(code_hmac, 'escape') AS text FROM verifications"))
            let stored: [UInt8] = try row.get("code_hmac")
            #expect(stored.count == 32)
            #expect(!(try row.get("text", as: String.self)).contains(code))
            // Another row with the same hash does not take the code: it is bound to its id.
            let other = try await app.startedVerification(Fixtures.phoneNumber())
            try await app.postgres.execute(
                "UPDATE verifications SET code_hmac = \(stored) WHERE id = \(UUID(uuidString: other.id))")
            #expect(try await app.verify(other.id, code).status == 401)
            #expect(try await app.verify(id, code).status == 200)
        }
    }

    @Test("asking again makes another verification and keeps the earlier one")
    func verificationsStandAlone() async throws {
        try await SignInApp.run(enforceRates: false) { app in
            let number = Fixtures.phoneNumber()
            let first = try await app.startedVerification(number)
            let second = try await app.startedVerification(number, count: 2)
            #expect(first.id != second.id)
            #expect(try await app.verify(first.id, first.code).status == 200)
            #expect(try await app.verify(second.id, second.code).status == 200)
        }
    }

    @Test(
        "a text that is not a phone number is refused with a pointer",
        arguments: [
            "", "+", "4915123456789", "015123456789", "+0151234567", "+49", "+4915123456789012",
            "+49151abc4567",
            "0049151234567", "+49 151 2345678 ext 5", "+49+15123456",
        ])
    func invalidNumbers(text: String) async throws {
        try await SignInApp.run { app in
            let answer = try await app.call(
                .post, "auth/request-verification", #"{"phone_number": "\#(text)"}"#)
            #expect(answer.status == 400)
            #expect(answer.code == "invalid_phone_number")
            #expect(answer.text.contains("/phone_number"))
            #expect(try await app.count("SELECT count(*) AS count FROM verifications") == 0)
        }
    }

    @Test(
        "a body that is not a request is 400",
        arguments: ["{}", #"{"phone_number": null}"#, #"{"phone_number": 49151}"#, "[]", "nonsense", ""])
    func invalidRequests(json: String) async throws {
        try await SignInApp.run { app in
            let answer = try await app.call(.post, "auth/request-verification", json)
            #expect(answer.status == 400)
            #expect(answer.code == "invalid_request")
        }
    }

    @Test("only countries that are served get a code")
    func countries() async throws {
        try await SignInApp.run(configure: { $0.countries = ["+49", "43"] }) { app in
            for (text, status) in [("+4915123456789", 202), ("+436641234567", 202), ("+14155550100", 400)] {
                let answer = try await app.call(
                    .post, "auth/request-verification", #"{"phone_number": "\#(text)"}"#)
                #expect(answer.status == status)
            }
        }
    }

    /// Guard: the place in the SMS queue comes before row and counters (`AuthService.requestVerification`)
    @Test("when the queue is full the answer is 503, and nothing is kept or counted")
    func queueFull() async throws {
        try await SignInApp.run(queueCapacity: 0) { app in
            let answer = try await app.requestCode(Fixtures.phoneNumber())
            #expect(answer.status == 503)
            #expect(answer.code == "overloaded")
            #expect(answer.retryAfter != nil)
            #expect(try await app.count("SELECT count(*) AS count FROM verifications") == 0)
            #expect(try await app.count("SELECT count(*) AS count FROM rate_counters") == 0)
        }
    }
}

@Suite("Limits on codes")
struct CodeLimitTests {
    /// Guard: limits per number, of pause, hour, day and known addresses, and per address (`CodeRateLimits`)
    @Test("a number gets one code in 30 seconds, however it is spelt")
    func pause() async throws {
        try await SignInApp.run { app in
            let spellings = ["+49 151 2345-6789", "+４９１５１２３４５６７８９", "+49 (151) 23456789"]
            var statuses: [Int] = []
            for spelling in spellings {
                let answer = try await app.call(
                    .post, "auth/request-verification", #"{"phone_number": "\#(spelling)"}"#)
                statuses.append(answer.status)
                if answer.status == 429 {
                    #expect(answer.code == "rate_limited")
                    #expect((1...30).contains(answer.retryAfter ?? 0))
                }
            }
            #expect(statuses == [202, 429, 429])
            #expect(try await app.count("SELECT count(*) AS count FROM verifications") == 1)
        }
    }

    /// Guard: limits per number, of pause, hour, day and known addresses, and per address (`CodeRateLimits`)
    @Test("a number gets five codes an hour and ten a day, of which strangers may use three and eight")
    func hourAndDay() async throws {
        try await SignInApp.run { app in
            let address = ClientAddress("203.0.113.7")
            for (isKnown, hour, day) in [(false, 3, 8), (true, 5, 10)] {
                let number = Fixtures.phoneNumber()
                if isKnown {
                    try await app.postgres.transaction { tx in
                        try app.auth.firewall.store.recordVerified(
                            tx, number: app.auth.limits.digest(number.rawValue),
                            from: app.auth.limits.digest("203.0.113.7"))
                    }
                }
                var accepted = 0
                var refused: [RateLimited] = []
                for round in 1...14 {
                    try await app.postgres.execute(
                        "DELETE FROM rate_counters WHERE scope = 'code.number.pause'")
                    if let refusal = try await app.refusal(of: number.rawValue, from: address) {
                        refused.append(refusal)
                    } else {
                        accepted += 1
                    }
                    if round == 6 { #expect(accepted == hour) }
                    if round.isMultiple(of: 3) {
                        try await app.postgres.execute(
                            "DELETE FROM rate_counters WHERE scope LIKE 'code.number.hour%' AND \(round)::int > 5"
                        )
                    }
                }
                #expect(accepted == day)
                // The answer is the same for every client.
                #expect(refused.first?.scope == "code.number.hour" && refused.first?.limit == 5)
                #expect(refused.last?.scope == "code.number.day" && refused.last?.limit == 10)
                #expect(refused.last.map { $0.retryAfter > .seconds(86_000) } == true)
            }
        }
    }

    /// Guard: limits per number, of pause, hour, day and known addresses, and per address (`CodeRateLimits`)
    @Test("an address gets thirty codes an hour, over all numbers")
    func perAddress() async throws {
        try await SignInApp.run { app in
            let answers = try await atOnce(40) { _ in try await app.requestCode(Fixtures.phoneNumber()) }
            #expect(answers.filter { $0.status == 202 }.count == 30)
            #expect(answers.filter { $0.status == 429 }.count == 10)
        }
    }

    @Test("fifty requests for the same number at once cause one message")
    func race() async throws {
        try await SignInApp.run { app in
            let number = Fixtures.phoneNumber()
            let answers = try await atOnce(50) { _ in try await app.requestCode(number).status }
            #expect(answers.filter { $0 == 202 }.count == 1)
            #expect(answers.filter { $0 == 429 }.count == 49)
            #expect(try await app.count("SELECT count(*) AS count FROM verifications") == 1)
        }
    }

    @Test("without rate limits every request gets a code")
    func notEnforced() async throws {
        try await SignInApp.run(enforceRates: false) { app in
            let number = Fixtures.phoneNumber()
            for _ in 1...12 {
                let answer = try await app.requestCode(number)
                #expect(answer.status == 202)
            }
        }
    }
}
