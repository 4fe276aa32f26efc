import KeyDerivation
import Crypto
import FeatureKit
import Foundation
import Testing

@testable import Auth

@Suite("Codes and refresh tokens as values")
struct CodeTests {
    private let keys = AuthKeys(secret: Array("a secret of at least thirty-two bytes".utf8))

    @Test("a code has six digits with leading zeros, and codes differ")
    func shape() {
        let codes = (1...2_000).map { _ in OneTimeCode.random().text }
        #expect(codes.allSatisfy { $0.utf8.count == 6 && $0.allSatisfy(\.isNumber) })
        #expect(codes.contains { $0.hasPrefix("0") })
        #expect(Set(codes).count > 1_900)
    }

    @Test("a hash matches only its own code, verification and key")
    func binding() {
        let id = VerificationID(UUID())
        let code = OneTimeCode(text: "012345")
        let hash = code.hmac(for: id, using: keys.codes)
        #expect(code.matches(hash, for: id, using: keys.codes))
        #expect(!OneTimeCode(text: "012346").matches(hash, for: id, using: keys.codes))
        #expect(!code.matches(hash, for: VerificationID(UUID()), using: keys.codes))
        #expect(!code.matches(hash, for: id, using: keys.refreshTokens))
    }

    @Test("a message that does not fit into one SMS is sent without its last line")
    func longHost() {
        let message = CodeMessage(host: String(repeating: "x", count: 120), androidHash: nil)
        #expect(message.text(for: OneTimeCode(text: "123456")) == "Your Dayly verification code is: 123456")
    }

    @Test("a refresh token is parsed back unchanged, and authenticates with its own nonce and key only")
    func refreshToken() throws {
        let nonce = [UInt8](repeating: 1, count: 32)
        let token = RefreshToken(
            session: SessionID(UUID()), generation: 70_000, nonce: nonce, key: keys.refreshTokens)
        let read = try #require(RefreshToken(token.text))
        #expect(read == token)
        #expect(read.generation == 70_000)
        #expect(read.isAuthentic(nonce: nonce, key: keys.refreshTokens))
        #expect(!read.isAuthentic(nonce: [UInt8](repeating: 2, count: 32), key: keys.refreshTokens))
        #expect(!read.isAuthentic(nonce: nonce, key: keys.codes))
    }

    @Test("a generation always gives the same token, and the next one another token")
    func derivation() {
        let session = SessionID(UUID())
        let nonce = [UInt8](repeating: 1, count: 32)
        func token(_ generation: UInt32) -> String {
            RefreshToken(session: session, generation: generation, nonce: nonce, key: keys.refreshTokens).text
        }
        #expect(token(3) == token(3))
        #expect(token(3) != token(4))
    }

    @Test("base64url has one spelling of a value", arguments: ["AA=", "AB", "A", "A+A", "A/A", "A A", "é"])
    func base64url(text: String) {
        #expect(Base64URL.decode(text) == nil)
    }
}
