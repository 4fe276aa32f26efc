import Auth
import Crypto
import FeatureKit
import Foundation
import Groups
import HTTPKit
import KeyDerivation
import Postgres
import RateLimiting

/// Rows that tests start from, as in production, without the calls that would make them.
package enum Fixtures {
    /// A service's secret.
    package static let secret = Array("a secret that is only good for tests, 32+".utf8)
    package static let issuer = "https://dayly.example"
    /// A secret that replaces `secret`, or that another service has.
    package static let otherSecret = Array("another secret that is only good for tests, 32+".utf8)
    package static let numberHashes = NumberHashes(secret: secret)

    package static func rateLimits(
        _ postgres: PostgresClient, enforced: Bool = true, secrets: ServiceSecrets = secret.secrets,
        messageLimits: MessageCeiling.Limits = .init()
    ) -> RateLimits {
        RateLimits(postgres: postgres, enforced: enforced, secret: secrets, messageLimits: messageLimits)
    }

    /// Another one at each call.
    package static func phoneNumber() -> PhoneNumber {
        let digits = String(1_000_000_000 + UInt64.random(in: 0..<1_000_000_000)).dropFirst()
        guard let number = PhoneNumber(rawValue: "+4915" + digits) else {
            preconditionFailure("not a phone number: +4915\(digits)")
        }
        return number
    }

    package static func user(
        in postgres: PostgresClient, phone: PhoneNumber = phoneNumber(), firstName: String? = "Ada",
        timeZone: String = "UTC"
    ) async throws -> UserID {
        let id = UserID(.version7())
        try await postgres.execute(
            """
            INSERT INTO users (id, phone_number, first_name, time_zone)
            VALUES (\(id), \(phone), \(firstName), \(timeZone))
            """)
        return id
    }

    /// A signed-in device, as if it had just proven its number.
    package static func session(in postgres: PostgresClient, of user: UserID) async throws -> SessionID {
        let id = SessionID(.version7())
        try await postgres.execute(
            """
            INSERT INTO sessions (id, user_id, refresh_nonce, expires_at)
            VALUES (\(id), \(user), \([UInt8](repeating: 7, count: 32)), now() + interval '60 days')
            """)
        return id
    }

    /// Signs and checks with one key per test run.
    package static func accessTokens(lifetime: Duration = .seconds(900)) async throws -> AccessTokens {
        AccessTokens(keys: try await SigningKeys(pems: [signingKey]), issuer: issuer, lifetime: lifetime)
    }

    /// For `Authorization: Bearer …`: of a session of its own unless one is given.
    package static func accessToken(
        in postgres: PostgresClient, for user: UserID, session given: SessionID? = nil
    ) async throws -> String {
        let session: SessionID
        if let given { session = given } else { session = try await self.session(in: postgres, of: user) }
        return try await accessTokens().issue(user: user, session: session, now: Date())
    }

    /// Accepts the tokens of `accessToken`, and any number of parallel calls by one user.
    package static func accounts(_ postgres: PostgresClient) async throws -> Accounts {
        var settings = CallerLimits.Settings()
        settings.maxRunning = 1_000
        settings.countsWrites = false
        return Accounts(
            postgres: postgres, tokens: try await accessTokens(), callers: CallerLimits(settings: settings))
    }

    package static func authenticator(_ postgres: PostgresClient) async throws -> Authenticator {
        try await accounts(postgres).authenticator
    }

    /// A P-256 key in PEM.
    package static let signingKey = P256.Signing.PrivateKey().pemRepresentation
}
