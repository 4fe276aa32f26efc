import KeyDerivation
import Testing

/// Guard: everything made with a previous secret is recognised (`KeyRing.isValid`, `.codes`)
@Suite("The secrets in force")
struct ServiceSecretsTests {
    private let old = [UInt8](repeating: 1, count: 32)
    private let new = [UInt8](repeating: 2, count: 32)
    private let message = Array("a message".utf8)

    @Test("the first secret makes, all verify, and what another one made is refused")
    func firstMakes() {
        let before = ServiceSecrets(old).keys(for: "tests")
        let after = ServiceSecrets(new, previous: [old]).keys(for: "tests")
        #expect(after.code(of: message) != before.code(of: message))
        #expect(after.code(of: message) == new.secrets.keys(for: "tests").code(of: message))
        #expect(after.isValid(before.code(of: message), of: message))
        #expect(after.isValid(after.code(of: message), of: message))
        #expect(!before.isValid(after.code(of: message), of: message))
        #expect(!after.isValid(before.code(of: message), of: message + [0]))
        #expect(after.codes(of: message) == [after.code(of: message), before.code(of: message)])
    }

    @Test("keys of two purposes have nothing in common")
    func purposes() {
        let secrets = ServiceSecrets(new, previous: [old])
        #expect(!secrets.keys(for: "one").isValid(secrets.keys(for: "two").code(of: message), of: message))
    }

    @Test("a secret that stands among the previous ones too is one secret")
    func once() {
        #expect(ServiceSecrets(old, previous: [old, old]).keys(for: "tests").codes(of: message).count == 1)
    }

    @Test("the beginning of a code is enough from eight bytes on, all of which count")
    func beginnings() {
        let keys = ServiceSecrets(new, previous: [old]).keys(for: "tests")
        for code in keys.codes(of: message) {
            #expect(keys.isValid(beginning: Array(code.prefix(12)), of: message))
            #expect(!keys.isValid(beginning: Array(code.prefix(7)), of: message))
            #expect(!keys.isValid(beginning: Array(code.prefix(11)) + [code[11] ^ 1], of: message))
            #expect(!keys.isValid(beginning: code + [0], of: message))
        }
    }
}
