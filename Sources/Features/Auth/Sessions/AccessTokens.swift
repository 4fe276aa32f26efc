import KeyDerivation
import Crypto
import FeatureKit
import Foundation
import HTTPKit
import JWTKit
import Resilience

/// Signs and verifies access tokens: JWTs with ES256, in the profile of RFC 9068.
package struct AccessTokens: Sendable {
    private static let type = "at+jwt"
    private static let algorithm = "ES256"
    private static let maxBytes = 2_048
    private static let longestLifetime: Duration = .seconds(86_400)
    /// A header with any other field is refused: no `jku`, `jwk`, `x5u`, `x5c`, `crit`.
    private static let headerFields: Set<String> = ["alg", "typ", "kid"]

    package let lifetime: Duration
    private let keys: SigningKeys
    private let issuer: String
    private let audience: String
    /// The contents of tokens that were verified already, by the SHA-256 of the token. A signature stays valid, so only a
    /// token's time and session must be checked for each request.
    private let verified = BoundedCache<SHA256Digest, VerifiedToken>(capacity: 20_000)

    package init(keys: SigningKeys, issuer: String, audience: String = "dayly", lifetime: Duration) {
        self.keys = keys
        self.issuer = issuer
        self.audience = audience
        self.lifetime = lifetime
    }

    /// - Parameter now: PostgreSQL's time, so that processes whose clocks differ agree.
    package func issue(user: UserID, session: SessionID, now: Date) async throws -> String {
        let issued = now.timeIntervalSince1970.rounded(.down)
        let claims = Claims(
            iss: issuer, aud: audience, sub: user.resourceID.description, sid: session.resourceID.description,
            iat: Int(issued), nbf: Int(issued), exp: Int(issued + lifetime / .seconds(1)))
        let header: JWTHeader = ["typ": .string(Self.type)]
        return try await keys.collection.sign(
            claims, kid: JWKIdentifier(string: keys.signingKeyID), header: header)
    }

    /// Nil unless this service issued the token for itself. The caller must still compare its time with PostgreSQL's:
    /// `isValid(at:)`.
    func verify(_ token: String) async -> VerifiedToken? {
        guard token.utf8.count <= Self.maxBytes else { return nil }
        let digest = SHA256.hash(data: Array(token.utf8))
        if let known = verified[digest] { return known }
        guard let contents = await contents(of: token) else { return nil }
        verified.insert(contents, for: digest)
        return contents
    }

    private func contents(of token: String) async -> VerifiedToken? {
        guard hasAllowedHeader(token),
            let claims = try? await keys.collection.verify(token, as: Claims.self),
            claims.iss == issuer, claims.aud == audience, isPlausible(claims),
            let user = UUID(uuidString: claims.sub), let session = UUID(uuidString: claims.sid)
        else { return nil }
        return VerifiedToken(
            user: UserID(user), session: SessionID(session), notBefore: claims.nbf, expires: claims.exp)
    }

    /// Checks what JWTKit does not: it falls back to another key when `kid` is unknown, ignores `typ`, and accepts several
    /// spellings of one signature.
    private func hasAllowedHeader(_ token: String) -> Bool {
        let dot = UInt8(ascii: ".")
        guard token.utf8.count(where: { $0 == dot }) == 2 else { return false }
        let parts = token.utf8.split(separator: dot, omittingEmptySubsequences: false)
            .compactMap { Base64URL.decode(Substring($0)) }
        guard parts.count == 3, Self.isStrictJSON(parts[0]), Self.isStrictJSON(parts[1]),
            let fields = try? JSONDecoder().decode([String: String].self, from: Data(parts[0])),
            let kid = fields["kid"]
        else { return false }
        return Set(fields.keys) == Self.headerFields && fields["alg"] == Self.algorithm
            && fields["typ"] == Self.type && keys.keyIDs.contains(kid)
    }

    /// Different JSON readers read duplicate names and the like differently.
    private static func isStrictJSON(_ bytes: [UInt8]) -> Bool {
        (try? JSONScanner.validate(bytes)) != nil
    }

    /// Whether this service could have issued the token, under the present lifetime or an earlier one.
    private func isPlausible(_ claims: Claims) -> Bool {
        let (seconds, overflow) = claims.exp.subtractingReportingOverflow(claims.iat)
        return !overflow && seconds > 0 && .seconds(seconds) <= max(lifetime, Self.longestLifetime)
    }

    private struct Claims: JWTPayload {
        let iss: String
        let aud: String
        let sub: String
        let sid: String
        let iat: Int
        let nbf: Int
        let exp: Int

        // `AccessTokens` checks issuer, audience and time, because it knows the expected values.
        func verify(using algorithm: some JWTAlgorithm) async throws {}
    }
}

/// The contents of an authentic access token.
struct VerifiedToken: Sendable {
    let user: UserID
    let session: SessionID
    /// Seconds since 1970.
    let notBefore: Int
    let expires: Int

    func isValid(at now: Date) -> Bool {
        let seconds = now.timeIntervalSince1970
        return Double(notBefore) <= seconds && seconds < Double(expires)
    }

    func timeLeft(at now: Date) -> Duration {
        .seconds(max(0, Double(expires) - now.timeIntervalSince1970))
    }
}
