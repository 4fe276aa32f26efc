import ClientFixtures
import DaylyAPI
import DaylyClient
import DaylyClientTesting
import Foundation
import Testing

@Suite("Work for a code")
struct WorkTests {
    private static let number = "+14155550101"

    private static func refusal(_ challenge: WorkChallenge?) -> StubAnswer {
        let problem = ProblemDocument(
            type: "/problems/rate_limited", title: "Rate limited", status: 429, detail: "Too many.",
            code: "rate_limited", challenge: challenge)
        var answer = StubAnswer.json(problem, status: 429)
        answer.head.headers["Content-Type"] = "application/problem+json"
        answer.head.headers["Retry-After"] = "30"
        return answer
    }

    private static func hexadecimal(_ text: String) -> String {
        PlainSHA256.hash(Array(text.utf8)).map { word in
            let digits = String(word, radix: 16)
            return String(repeating: "0", count: 8 - digits.count) + digits
        }.joined()
    }

    @Test("a digest is the one of FIPS 180-4, whatever the length")
    func digests() {
        #expect(Self.hexadecimal("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
        #expect(Self.hexadecimal("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(
            Self.hexadecimal(String(repeating: "a", count: 55))
                == "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318")
        #expect(
            Self.hexadecimal(String(repeating: "a", count: 56))
                == "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a")
        #expect(
            Self.hexadecimal(String(repeating: "a", count: 1_000))
                == "41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3")
    }

    /// Guard: clients do the work that a refusal asks for, up to a bound (`WorkSearch`,
    /// `AuthRepository.requestVerification`)
    @Test("a challenge is answered with the work that it asks for, and the code comes")
    func answered() async throws {
        let challenge = WorkChallenge(token: "token", bytes: 256, bits: 6, count: 3)
        let client = try ScriptedClient { request in
            let asked = try ClientJSON.decode(VerificationRequest.self, from: request.body ?? Data())
            guard let proof = asked.proof else { return Self.refusal(challenge) }
            #expect(asked.phoneNumber == Self.number && proof.token == "token")
            #expect(
                proof.nonces.count == 3 && Set(proof.nonces).count == 3
                    && proof.nonces.sorted() == proof.nonces)
            for nonce in proof.nonces {
                let message =
                    withUnsafeBytes(of: UInt64(nonce).bigEndian, Array.init) + Array("token".utf8)
                    + [UInt8](repeating: 0, count: 256 - 8 - 5)
                #expect(PlainSHA256.hash(message)[0].leadingZeroBitCount >= 6)
            }
            return ScriptedAnswers.answer(to: request)
        }
        let started = try await client.dayly.auth.requestVerification(phoneNumber: Self.number)
        #expect(started.resendAfter == 30)
        #expect(client.count("/v1/auth/request-verification") == 2)
    }

    /// Guard: clients do the work that a refusal asks for, up to a bound (`WorkSearch`,
    /// `AuthRepository.requestVerification`)
    @Test("a refusal without a challenge, one that asks too much, and one that never ends are refusals")
    func refused() async throws {
        let small = WorkChallenge(token: "token", bytes: 64, bits: 1, count: 1)
        let large = WorkChallenge(token: "token", bytes: 1 << 20, bits: 20, count: 4)
        let short = WorkChallenge(token: "token", bytes: 8, bits: 1, count: 1)
        for (challenge, calls) in [(nil, 1), (large, 1), (short, 1), (small, 3)] {
            let client = try ScriptedClient { _ in Self.refusal(challenge) }
            do {
                _ = try await client.dayly.auth.requestVerification(phoneNumber: Self.number)
                Issue.record("a code came")
            } catch DaylyError.problem(let problem) {
                #expect(problem.kind == .rateLimited && problem.retryAfter == 30)
            }
            #expect(client.count("/v1/auth/request-verification") == calls)
        }
    }
}
