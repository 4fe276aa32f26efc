import KeyDerivation
import Crypto
import DaylyTesting
import FeatureKit
import Foundation
import JWTKit
import Testing

@testable import Auth

@Suite("Forged access tokens")
struct TokenForgeryTests {
    private func withForger(
        _ body: @escaping @Sendable (SignInApp, Forger) async throws -> Void
    ) async throws {
        try await SignInApp.run { app in
            let user = try await Fixtures.user(in: app.postgres)
            let session = try await Fixtures.session(in: app.postgres, of: user)
            let forger = Forger(
                key: try P256.Signing.PrivateKey(pemRepresentation: Fixtures.signingKey),
                kid: try await SigningKeys(pems: [Fixtures.signingKey]).signingKeyID,
                user: user.resourceID.description, session: session.resourceID.description,
                now: Int(Date().timeIntervalSince1970) - 5)
            try await body(app, forger)
        }
    }

    @Test("a forger's token without a flaw is accepted, in either form of its signature")
    func control() async throws {
        try await withForger { app, forger in
            #expect(try await app.me(try forger.signed()).status == 200)
            // A client can make the other form of its token and gains nothing: no check compares a token's bytes.
            let input = forger.input()
            let other = Curve.otherForm(try forger.signature(input))
            #expect(try await app.me("\(input).\(Base64URL.encode(other))").status == 200)
        }
    }

    /// Guard: a token's header and claims are strict JSON with a lifetime that we give
    /// (`AccessTokens.isStrictJSON`, `.isPlausible`)
    @Test("every forgery is 401 with a challenge")
    func refused() async throws {
        try await withForger { app, forger in
            let stranger = try await app.signIn()
            let ended = try await app.signIn()
            _ = try await app.logout(ended.refreshToken)
            var forgeries = try Self.unsigned(forger) + Self.otherAlgorithms(forger)
            forgeries += try Self.brokenSignatures(forger) + Self.spellings(forger)
            forgeries += try Self.headers(forger) + Self.claims(forger)
            forgeries += try Self.otherTokens(forger, stranger.refreshToken, ended.accessToken)
            #expect(forgeries.count >= 100)
            #expect(Set(forgeries.map(\.name)).count == forgeries.count, "each has a name of its own")
            #expect(Set(forgeries.map(\.token)).count == forgeries.count, "each is another token")
            for forgery in forgeries {
                let answer = try await app.me(forgery.token)
                #expect(answer.status == 401, "\(forgery.name)")
                #expect(answer.code == "unauthorized", "\(forgery.name)")
                #expect(answer.headers[.wwwAuthenticate]?.hasPrefix("Bearer") == true, "\(forgery.name)")
            }
            #expect(try await app.me(try forger.signed()).status == 200, "the session was not harmed")
        }
    }

    struct Forgery: Sendable {
        let name: String
        let token: String
    }
}

// MARK: What is wrong with them

extension TokenForgeryTests {
    private static func unsigned(_ forger: Forger) throws -> [Forgery] {
        let good = try forger.signed().split(separator: ".").map(String.init)
        var forgeries = ["none", "None", "NONE", "nOnE", ""].map { alg in
            Forgery(
                name: "alg \(alg), no signature",
                token: forger.input(forger.header { $0.set("alg", "\"\(alg)\"") }) + ".")
        }
        forgeries.append(
            Forgery(
                name: "alg none, a true signature",
                token: try forger.signed(forger.header { $0.set("alg", #""none""#) })))
        forgeries += [
            Forgery(name: "empty signature", token: good[0] + "." + good[1] + "."),
            Forgery(name: "signature cut off", token: good[0] + "." + good[1]),
            Forgery(name: "header alone", token: good[0]),
            Forgery(name: "two dots", token: ".."),
            Forgery(name: "no header", token: "." + good[1] + "." + good[2]),
            Forgery(name: "no claims", token: good[0] + ".." + good[2]),
        ]
        return forgeries
    }

    private static func otherAlgorithms(_ forger: Forger) throws -> [Forgery] {
        let publicKey = forger.key.publicKey
        let raw = [UInt8](publicKey.rawRepresentation)
        let jwk = """
            {"crv":"P-256","kty":"EC","x":"\(Base64URL.encode(raw.prefix(32)))",\
            "y":"\(Base64URL.encode(raw.suffix(32)))"}
            """
        let secrets: [(String, Data)] = [
            ("PEM", Data(publicKey.pemRepresentation.utf8)), ("DER", publicKey.derRepresentation),
            ("JWK", Data(jwk.utf8)), ("X9.63", publicKey.x963Representation),
            ("raw point", publicKey.rawRepresentation), ("name", Data(forger.kid.utf8)), ("nothing", Data()),
        ]
        var forgeries: [Forgery] = []
        for (name, secret) in secrets {
            for alg in ["HS256", "ES256"] {
                let input = forger.input(forger.header { $0.set("alg", "\"\(alg)\"") })
                let mac = HMAC<SHA256>.authenticationCode(
                    for: Data(input.utf8), using: SymmetricKey(data: secret))
                forgeries.append(
                    Forgery(
                        name: "\(alg), HMAC under the public key's \(name)",
                        token: input + "." + Base64URL.encode(mac)))
            }
        }
        for alg in [
            "HS384", "HS512", "ES384", "ES512", "RS256", "PS256", "EdDSA", "ES256K", "es256", "ES256 ",
        ] {
            forgeries.append(
                Forgery(
                    name: "alg \(alg)",
                    token: try forger.signed(forger.header { $0.set("alg", "\"\(alg)\"") })))
        }
        for alg in ["null", "256", #"["ES256"]"#, #"{"alg":"ES256"}"#, "true"] {
            forgeries.append(
                Forgery(name: "alg is \(alg)", token: try forger.signed(forger.header { $0.set("alg", alg) }))
            )
        }
        forgeries.append(Forgery(name: "no alg", token: try forger.signed(forger.header { $0.drop("alg") })))
        let input = forger.input(forger.header { $0.set("alg", #""ES384""#) })
        let signature = try P384.Signing.PrivateKey().signature(for: Data(input.utf8)).rawRepresentation
        forgeries.append(
            Forgery(name: "ES384 by another key", token: input + "." + Base64URL.encode(signature)))
        return forgeries
    }

    private static func brokenSignatures(_ forger: Forger) throws -> [Forgery] {
        let input = forger.input()
        let good = try forger.signature(input)
        let zero = [UInt8](repeating: 0, count: 32)
        let ones = [UInt8](repeating: 0xFF, count: 32)
        let other = try P256.Signing.PrivateKey().signature(for: Data(input.utf8))
        let ours = try forger.key.signature(for: Data(input.utf8))
        let signatures: [(String, [UInt8])] = [
            ("DER", Array(ours.derRepresentation)), ("r zero", zero + good[32...]),
            ("s zero", good[..<32] + zero),
            ("r and s zero", zero + zero), ("r of n", Curve.order + good[32...]),
            ("s of n", good[..<32] + Curve.order), ("r above n", ones + good[32...]),
            ("s above n", good[..<32] + ones), ("r and s above n", ones + ones),
            ("r and s swapped", Array(good[32...] + good[..<32])), ("one byte short", Array(good.dropLast())),
            ("one byte long", good + [0]), ("a zero before", [0] + good), ("twice", good + good),
            ("one bit", good.dropLast() + [(good.last ?? 0) ^ 1]),
            ("another key's", Array(other.rawRepresentation)),
            (
                "of other claims",
                try forger.signature(forger.input(nil, forger.claims { $0.set("exp", "1") }))
            ),
            ("of the claims alone", try forger.signature(Forger.encode(forger.claims()))),
        ]
        return signatures.map { name, bytes in
            Forgery(name: "signature: \(name)", token: input + "." + Base64URL.encode(bytes))
        }
    }

    private static func spellings(_ forger: Forger) throws -> [Forgery] {
        let good = try forger.signed()
        let parts = good.split(separator: ".").map(String.init)
        // 64 bytes are 86 characters, of whose last one four bits are left over.
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        let last = alphabet.firstIndex(of: parts[2].last ?? "A") ?? 0
        let nonCanonical = parts[2].dropLast() + String(alphabet[last ^ 1])
        let standard = { (text: String) in text.replacing("-", with: "+").replacing("_", with: "/") }
        var withPlus = try forger.signed()
        while standard(withPlus) == withPlus { withPlus = try forger.signed() }
        let spellings: [(String, String)] = [
            ("padding behind the signature", good + "=="),
            ("padding behind the header", "\(parts[0])=.\(parts[1]).\(parts[2])"),
            ("standard base64", standard(withPlus)),
            ("left-over bits set", "\(parts[0]).\(parts[1]).\(nonCanonical)"),
            ("a fourth part", good + ".x"), ("a fourth, empty part", good + "."),
            ("a part before", "x." + good),
            ("a dot before", "." + good), ("claims before header", "\(parts[1]).\(parts[0]).\(parts[2])"),
            ("signature in the middle", "\(parts[0]).\(parts[2]).\(parts[1])"),
            ("a blank within", "\(parts[0]). \(parts[1]).\(parts[2])"), ("a blank before", " " + good),
            ("a percent sign", good.replacing(".", with: "%2E")), ("in quotes", "\"\(good)\""),
            ("twice, by a comma", "\(good),\(good)"), ("upper case", good.uppercased()),
            ("100 KB", good + String(repeating: "A", count: 100_000)),
            ("100 KB of claims", "\(parts[0]).\(String(repeating: "A", count: 100_000)).\(parts[2])"),
            ("ten thousand dots", String(repeating: ".", count: 10_000)),
        ]
        return spellings.map { Forgery(name: "spelling: \($0)", token: $1) }
    }

    private static func headers(_ forger: Forger) throws -> [Forgery] {
        let raw = [UInt8](forger.key.publicKey.rawRepresentation)
        let jwk = #"{"kty":"EC","crv":"P-256","x":"\#(Base64URL.encode(raw.prefix(32)))"}"#
        let added: [(String, String)] = [
            ("jku", #""https://evil.example/keys""#), ("x5u", #""https://evil.example/cert""#), ("jwk", jwk),
            ("x5c", #"["MIIB"]"#), ("x5t", #""AAAA""#), ("x5t#S256", #""AAAA""#), ("crit", #"["exp"]"#),
            ("b64", "false"), ("cty", #""JWT""#), ("zip", #""DEF""#), ("epk", jwk), ("extra", "1"),
        ]
        let changed: [(String, String)] = [
            ("kid", #""unknown""#), ("kid", #""../../etc/passwd""#), ("kid", #""/dev/null""#),
            ("kid", #""x' OR '1'='1""#), ("kid", #""https://evil.example/key""#), ("kid", #""""#),
            ("kid", #"["\#(forger.kid)"]"#), ("kid", "0"), ("kid", "null"),
            ("kid", #""\#(forger.kid)\u0000""#),
            ("kid", #"" \#(forger.kid)""#), ("kid", #""\#(forger.kid.lowercased())""#), ("typ", #""JWT""#),
            ("typ", #""at+JWT""#), ("typ", #""application/at+jwt""#), ("typ", #""refresh+jwt""#),
            ("typ", #""аt+jwt""#), ("typ", "null"), ("typ", #""""#), ("alg", #""ЕS256""#),
        ]
        var forgeries: [(String, String)] = try (added + changed).map { name, value in
            ("\(name) \(value)", try forger.signed(forger.header { $0.set(name, value) }))
        }
        forgeries.append(("no kid", try forger.signed(forger.header { $0.drop("kid") })))
        forgeries.append(("no typ", try forger.signed(forger.header { $0.drop("typ") })))
        let twice: [(String, String, String)] = [
            ("alg", #""none""#, #""ES256""#), ("alg", #""ES256""#, #""ES256""#),
            ("typ", #""JWT""#, #""at+jwt""#), ("kid", #""x""#, "\"\(forger.kid)\""),
        ]
        for (name, first, second) in twice {
            for (order, values) in [("first", [first, second]), ("last", [second, first])] {
                // The same value in both places is one forgery.
                guard first != second || order == "first" else { continue }
                let header = forger.header { members in
                    members.drop(name)
                    members += values.map { (name, $0) }
                }
                forgeries.append(("\(name) twice, \(first) \(order)", try forger.signed(header)))
            }
        }
        for header in ["", "null", "[]", "\"x\"", "{", forger.header() + "x", "\u{FEFF}" + forger.header()] {
            forgeries.append(("is \(header.prefix(8))…\(header.suffix(3))", try forger.signed(header)))
        }
        return forgeries.map { Forgery(name: "header: \($0)", token: $1) }
    }

    private static func claims(_ forger: Forger) throws -> [Forgery] {
        let strangers = UUID().uuidString.lowercased()
        let deep = String(repeating: "[", count: 600) + String(repeating: "]", count: 600)
        let changed: [(String, String)] = [
            ("iss", #""https://evil.example""#), ("iss", #""\#(Fixtures.issuer)/""#), ("iss", "null"),
            ("iss", #"["\#(Fixtures.issuer)"]"#), ("iss", #""https://dаyly.example""#),
            ("aud", #""other""#), ("aud", #"["dayly"]"#), ("aud", #"["dayly","other"]"#), ("aud", "null"),
            ("aud", #""Dayly""#), ("exp", "\(forger.now - 1)"), ("exp", "0"), ("exp", "-1"),
            ("exp", #""\#(forger.now + 900)""#), ("exp", "\(forger.now + 900).5"), ("exp", "1e300"),
            ("exp", "9223372036854775807"), ("exp", "9223372036854775808"), ("exp", "null"), ("exp", "true"),
            ("exp", "\(forger.now + 400_000_000)"), ("nbf", "\(forger.now + 300)"), ("nbf", "null"),
            ("nbf", #""0""#), ("iat", "-9223372036854775808"), ("iat", "null"), ("sub", #""""#),
            ("sub", #""admin""#), ("sub", "null"), ("sub", "\"\(strangers)\""), ("sub", #"{"id":1}"#),
            ("sub", #""\#(forger.user)' OR '1'='1""#), ("sid", #""""#), ("sid", "null"),
            ("sid", "\"\(strangers)\""), ("sid", "1"), ("deep", deep),
        ]
        var forgeries: [(String, String)] = try changed.map { name, value in
            ("\(name) \(value.prefix(50))", try forger.signed(nil, forger.claims { $0.set(name, value) }))
        }
        for name in ["iss", "aud", "exp", "nbf", "iat", "sub", "sid"] {
            forgeries.append(("no \(name)", try forger.signed(nil, forger.claims { $0.drop(name) })))
        }
        for (name, other) in [("sub", "\"\(strangers)\""), ("exp", "1"), ("aud", #""other""#)] {
            let double = forger.claims { $0.append((name, other)) }
            forgeries.append(("\(name) twice", try forger.signed(nil, double)))
        }
        for claims in ["", "null", "[]", "{}", "{", forger.claims() + "x"] {
            forgeries.append(("are \(claims.prefix(8))…\(claims.suffix(3))", try forger.signed(nil, claims)))
        }
        return forgeries.map { Forgery(name: "claims: \($0)", token: $1) }
    }

    private static func otherTokens(_ forger: Forger, _ refresh: String, _ ended: String) throws -> [Forgery]
    {
        let stranger = Forger(
            key: P256.Signing.PrivateKey(), kid: forger.kid, user: forger.user, session: forger.session,
            now: forger.now)
        let good = try forger.signed()
        let nested = forger.header {
            $0.set("cty", #""JWT""#)
        }
        return [
            Forgery(name: "another server's key under our key's name", token: try stranger.signed()),
            Forgery(name: "a refresh token", token: refresh),
            Forgery(
                name: "an upload ticket",
                token: "dut_" + Forger.encode(forger.claims()) + "." + String(repeating: "A", count: 43)),
            Forgery(name: "of a session that ended", token: ended),
            Forgery(name: "a token in a token", token: try forger.signed(nested, "\"\(good)\"")),
            Forgery(name: "the session's id", token: forger.session),
            Forgery(name: "the user's id", token: forger.user),
            Forgery(
                name: "changed claims under the old signature",
                token: Self.retargeted(good, to: UUID().uuidString.lowercased(), from: forger.user)),
        ]
    }

    private static func retargeted(_ token: String, to other: String, from user: String) -> String {
        let parts = token.split(separator: ".").map(String.init)
        let claims = String(decoding: Base64URL.decode(parts[1]) ?? [], as: UTF8.self)
        return "\(parts[0]).\(Forger.encode(claims.replacing(user, with: other))).\(parts[2])"
    }
}
