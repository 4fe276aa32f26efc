import Foundation
import KeyDerivation
@testable import StoreReceipts
import Testing

@Suite("App account tokens")
struct AppAccountTokenTests {
    private let user = UUID()
    private let first = Array("the first secret of the service, 32+".utf8)
    private let second = Array("the second secret of the service, 32+".utf8)

    @Test("a user has the same token again, and another user has another one")
    func stable() {
        let tokens = AppAccountToken(secret: first)
        #expect(tokens.make(for: user) == AppAccountToken(secret: first).make(for: user))
        #expect(tokens.make(for: user) != tokens.make(for: UUID()))
        #expect(tokens.make(for: user) != user)
        #expect(tokens.make(for: user) != AppAccountToken(secret: second).make(for: user))
        // Version 8, variant 10 (RFC 9562).
        #expect(tokens.make(for: user).uuid.6 >> 4 == 8)
        #expect(tokens.make(for: user).uuid.8 >> 6 == 2)
    }

    @Test("a token is valid for its user alone, and under a previous secret too")
    func validity() {
        let before = AppAccountToken(secret: first)
        let after = AppAccountToken(secret: ServiceSecrets(second, previous: [first]))
        let token = before.make(for: user)
        #expect(before.isValid(token, of: user))
        #expect(!before.isValid(token, of: UUID()))
        #expect(after.isValid(token, of: user))
        #expect(after.make(for: user) != token)
        #expect(!AppAccountToken(secret: second).isValid(token, of: user))
    }
}
