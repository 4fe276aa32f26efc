import KeyDerivation
import Crypto
import DaylyTesting
import FeatureKit
import Foundation
import JWTKit
import Testing

@testable import Auth

private let user = UserID(.init())
private let session = SessionID(.init())
private let now = Date()

/// Parts of an invented token.
private struct Forgery {
    var header: [String: String] = ["alg": "ES256", "typ": "at+jwt"]
    var claims: [String: Any] = [
        "iss": Fixtures.issuer, "aud": "dayly", "sub": user.resourceID.description,
        "sid": session.resourceID.description, "iat": Int(now.timeIntervalSince1970),
        "nbf": Int(now.timeIntervalSince1970), "exp": Int(now.timeIntervalSince1970) + 900,
    ]

    init(kid: String?) {
        header["kid"] = kid
    }

    func signed(with pem: String) throws -> String {
        let key = try P256.Signing.PrivateKey(pemRepresentation: pem)
        return try token { Data(try key.signature(for: $0).rawRepresentation) }
    }

    func token(_ sign: (Data) throws -> Data) throws -> String {
        let head = Base64URL.encode(try JSONSerialization.data(withJSONObject: header))
        let body = Base64URL.encode(try JSONSerialization.data(withJSONObject: claims))
        return "\(head).\(body).\(Base64URL.encode(try sign(Data("\(head).\(body)".utf8))))"
    }
}

@Suite("Access tokens")
struct AccessTokenTests {
    private func kid() async throws -> String {
        try await SigningKeys(pems: [Fixtures.signingKey]).signingKeyID
    }

    private func verify(_ token: String) async throws -> VerifiedToken? {
        await (try Fixtures.accessTokens()).verify(token)
    }

    private func forged(_ change: (inout Forgery) -> Void) async throws -> VerifiedToken? {
        var forgery = Forgery(kid: try await kid())
        change(&forgery)
        return try await verify(try forgery.signed(with: Fixtures.signingKey))
    }

    @Test("a token names its user, its session and its end")
    func verifies() async throws {
        let tokens = try await Fixtures.accessTokens()
        let verified = try #require(
            await tokens.verify(try await tokens.issue(user: user, session: session, now: now)))
        #expect(verified.user == user)
        #expect(verified.session == session)
        #expect(verified.isValid(at: now))
        #expect(verified.isValid(at: now.addingTimeInterval(898)))
        #expect(!verified.isValid(at: now.addingTimeInterval(901)))
        #expect(!verified.isValid(at: now.addingTimeInterval(-2)))
    }

    @Test("a forger's token without a flaw is accepted, so that each other forgery fails for its one flaw")
    func control() async throws {
        #expect(try await forged { _ in } != nil)
    }

    /// Guard: alg, typ, kid, header members, iss, aud, spelling (`AccessTokens`)
    @Test(
        "another algorithm is refused", arguments: ["none", "None", "HS256", "ES384", "RS256", "EdDSA", ""])
    func algorithms(name: String) async throws {
        #expect(try await forged { $0.header["alg"] = name } == nil)
    }

    @Test("a token without a signature is refused")
    func unsigned() async throws {
        var forgery = Forgery(kid: try await kid())
        forgery.header["alg"] = "none"
        #expect(try await verify(try forgery.token { _ in Data() }) == nil)
        forgery.header["alg"] = "ES256"
        #expect(try await verify(try forgery.token { _ in Data() }) == nil)
    }

    @Test("a token that is signed with the public key as an HMAC secret is refused")
    func keyConfusion() async throws {
        let publicKey = try P256.Signing.PrivateKey(pemRepresentation: Fixtures.signingKey).publicKey
        for secret in [Data(publicKey.pemRepresentation.utf8), publicKey.derRepresentation] {
            for alg in ["HS256", "ES256"] {
                var forgery = Forgery(kid: try await kid())
                forgery.header["alg"] = alg
                let token = try forgery.token { message in
                    Data(HMAC<SHA256>.authenticationCode(for: message, using: SymmetricKey(data: secret)))
                }
                #expect(try await verify(token) == nil)
            }
        }
    }

    @Test("another key is refused, under its own name, under ours and under none")
    func otherKeys() async throws {
        let pem = P256.Signing.PrivateKey().pemRepresentation
        let foreign = try await SigningKeys(pems: [pem]).signingKeyID
        for name in [foreign, try await kid(), nil] {
            #expect(try await verify(try Forgery(kid: name).signed(with: pem)) == nil)
        }
    }

    /// Guard: alg, typ, kid, header members, iss, aud, spelling (`AccessTokens`)
    @Test("our own key is found by its name alone")
    func keyNames() async throws {
        #expect(try await forged { $0.header["kid"] = nil } == nil)
        #expect(try await forged { $0.header["kid"] = "unknown" } == nil)
        #expect(try await forged { $0.header["kid"] = "" } == nil)
    }

    /// Guard: alg, typ, kid, header members, iss, aud, spelling (`AccessTokens`)
    @Test(
        "headers that name a key or ask for more are refused",
        arguments: ["jku", "jwk", "x5u", "x5c", "x5t", "crit", "cty", "zip", "b64"])
    func headers(name: String) async throws {
        #expect(try await forged { $0.header[name] = "https://evil.example" } == nil)
    }

    /// Guard: alg, typ, kid, header members, iss, aud, spelling (`AccessTokens`)
    @Test("another kind of token is refused", arguments: ["JWT", "at+JWT", "refresh+jwt", "", nil])
    func types(name: String?) async throws {
        #expect(try await forged { $0.header["typ"] = name } == nil)
    }

    /// Guard: alg, typ, kid, header members, iss, aud, spelling (`AccessTokens`)
    @Test(
        "a claim that is wrong or missing is refused",
        arguments: ["iss", "aud", "sub", "sid", "iat", "nbf", "exp"], ["wrong", nil])
    func claims(name: String, value: String?) async throws {
        #expect(try await forged { $0.claims[name] = value } == nil)
    }

    @Test("a token for several audiences is refused")
    func audiences() async throws {
        #expect(try await forged { $0.claims["aud"] = ["dayly", "other"] } == nil)
    }

    /// Guard: alg, typ, kid, header members, iss, aud, spelling (`AccessTokens`)
    @Test("a text that is not a token is refused")
    func malformed() async throws {
        let tokens = try await Fixtures.accessTokens()
        let good = try await tokens.issue(user: user, session: session, now: now)
        let parts = good.split(separator: ".").map(String.init)
        let candidates = [
            "", ".", "..", "...", "a.b.c", parts[0], "\(parts[0]).\(parts[1])", "\(parts[0]).\(parts[1]).",
            good + ".", good + ".x", "." + good, good + "=", " " + good,
            "\(parts[0]).\(parts[2]).\(parts[1])", String(repeating: "a", count: 100_000),
            "\(parts[0]).\(parts[1]).\(String(parts[2].dropLast(8)))AAAAAAAA",
        ]
        for candidate in candidates {
            #expect(try await verify(candidate) == nil, "\(candidate.prefix(40))")
        }
    }

    @Test("a changed claim breaks the signature")
    func tampering() async throws {
        let tokens = try await Fixtures.accessTokens()
        let parts = try await tokens.issue(user: user, session: session, now: now).split(separator: ".")
        let claims = try #require(Base64URL.decode(String(parts[1])))
        let changed = String(decoding: claims, as: UTF8.self)
            .replacing(user.resourceID.description, with: UserID(.init()).resourceID.description)
        let token = "\(parts[0]).\(Base64URL.encode(Array(changed.utf8))).\(parts[2])"
        #expect(try await verify(token) == nil)
    }

    @Test("of two keys the first signs and both verify, and a key that was removed verifies no more")
    func rotation() async throws {
        let old = P256.Signing.PrivateKey().pemRepresentation
        let new = P256.Signing.PrivateKey().pemRepresentation
        func tokens(_ pems: [String]) async throws -> AccessTokens {
            AccessTokens(
                keys: try await SigningKeys(pems: pems), issuer: Fixtures.issuer, lifetime: .seconds(900))
        }
        let before = try await tokens([old]).issue(user: user, session: session, now: now)
        let after = try await tokens([new, old]).issue(user: user, session: session, now: now)
        #expect(await (try tokens([new, old])).verify(before) != nil)
        #expect(await (try tokens([new])).verify(after) != nil)
        #expect(await (try tokens([new])).verify(before) == nil)
    }

    @Test("a key that is not a P-256 key is refused with its place in the list")
    func badKeys() async throws {
        await #expect(throws: SigningKeysError.none) { try await SigningKeys(pems: []) }
        let wrong = P384.Signing.PrivateKey().pemRepresentation
        await #expect(throws: SigningKeysError.unreadable(index: 1)) {
            try await SigningKeys(pems: [Fixtures.signingKey, wrong])
        }
    }

    @Test("a key's name is its RFC 7638 thumbprint")
    func thumbprint() async throws {
        let key = try P256.Signing.PrivateKey(pemRepresentation: Fixtures.signingKey).publicKey
        let raw = [UInt8](key.rawRepresentation)
        let json = """
            {"crv":"P-256","kty":"EC","x":"\(Base64URL.encode(raw.prefix(32)))",\
            "y":"\(Base64URL.encode(raw.suffix(32)))"}
            """
        #expect(try await kid() == Base64URL.encode(SHA256.hash(data: Data(json.utf8))))
    }
}
