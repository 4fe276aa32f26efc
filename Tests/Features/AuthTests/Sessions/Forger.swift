import KeyDerivation
import Crypto
import DaylyTesting
import Foundation

@testable import Auth

/// Tokens of a forger who knows everything about our tokens except the private key, and tokens signed with the key that differ
/// from a good token in one point each.
struct Forger {
    let key: P256.Signing.PrivateKey
    let kid: String
    let user: String
    let session: String
    let now: Int

    typealias Members = [(String, String)]

    func header(_ change: (inout Members) -> Void = { _ in }) -> String {
        var members: Members = [("alg", #""ES256""#), ("kid", "\"\(kid)\""), ("typ", #""at+jwt""#)]
        change(&members)
        return Self.json(members)
    }

    func claims(_ change: (inout Members) -> Void = { _ in }) -> String {
        var members: Members = [
            ("aud", #""dayly""#), ("exp", "\(now + 900)"), ("iat", "\(now)"),
            ("iss", "\"\(Fixtures.issuer)\""), ("nbf", "\(now)"), ("sid", "\"\(session)\""),
            ("sub", "\"\(user)\""),
        ]
        change(&members)
        return Self.json(members)
    }

    private static func json(_ members: Members) -> String {
        "{" + members.map { "\"\($0)\":\($1)" }.joined(separator: ",") + "}"
    }

    func input(_ header: String? = nil, _ claims: String? = nil) -> String {
        Self.encode(header ?? self.header()) + "." + Self.encode(claims ?? self.claims())
    }

    /// Signed with our own key, which no forger has.
    func signed(_ header: String? = nil, _ claims: String? = nil) throws -> String {
        let input = input(header, claims)
        return input + "." + Base64URL.encode(try signature(input))
    }

    func signature(_ input: String) throws -> [UInt8] {
        Array(try key.signature(for: Data(input.utf8)).rawRepresentation)
    }

    static func encode(_ text: String) -> String { Base64URL.encode(Array(text.utf8)) }
}

extension Forger.Members {
    /// Replaces a member, or adds one.
    mutating func set(_ name: String, _ value: String) {
        if let index = firstIndex(where: { $0.0 == name }) {
            self[index].1 = value
        } else {
            append((name, value))
        }
    }

    mutating func drop(_ name: String) { removeAll { $0.0 == name } }
}

/// The group's order, and the signature with `n - s` in the place of `s`: as good to the algorithm as the first.
enum Curve {
    static let order: [UInt8] = [
        0xFF, 0xFF, 0xFF, 0xFF, 0x00, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
        0xBC, 0xE6, 0xFA, 0xAD, 0xA7, 0x17, 0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63, 0x25, 0x51,
    ]

    static func otherForm(_ signature: [UInt8]) -> [UInt8] {
        var result = signature
        var borrow = 0
        for index in stride(from: 31, through: 0, by: -1) {
            var digit = Int(order[index]) - Int(signature[32 + index]) - borrow
            borrow = digit < 0 ? 1 : 0
            if digit < 0 { digit += 256 }
            result[32 + index] = UInt8(digit)
        }
        return result
    }
}
