import Foundation
import JWTKit
import NIOHTTP1

/// The reason why Google issues no token.
enum GoogleTokenError: Error {
    case refused(String)
    case unavailable(after: Duration?, String)
}

/// OAuth 2.0 for service accounts: exchanges an assertion signed with RS256 (RFC 7523) for an access token.
struct GoogleAccessToken: Sendable {
    static let scope = "https://www.googleapis.com/auth/firebase.messaging"
    static let grantType = "urn:ietf:params:oauth:grant-type:jwt-bearer"
    /// The longest lifetime of an assertion that Google accepts.
    static let assertionLifetime = 3_600
    /// The time before the old token's expiry at which a new one is requested.
    static let margin: TimeInterval = 300

    let account: ServiceAccount
    let key: Insecure.RSA.PrivateKey
    let transport: PushTransport
    let now: @Sendable () -> Date

    /// - Throws: `PushKeyUnreadable`.
    init(account: ServiceAccount, transport: PushTransport, now: @escaping @Sendable () -> Date) throws {
        guard let key = try? Insecure.RSA.PrivateKey(pem: account.privateKey) else {
            throw PushKeyUnreadable()
        }
        self.account = account
        self.key = key
        self.transport = transport
        self.now = now
    }

    func issue() async throws -> RenewableToken.Issued {
        let asked = now()
        let form =
            "grant_type=\(Self.grantType.replacing(":", with: "%3A"))&assertion=\(try await assertion(asked))"
        let reply: PushReply
        do {
            reply = try await transport.post(
                account.tokenURI, headers: ["content-type": "application/x-www-form-urlencoded"],
                body: Data(form.utf8))
        } catch {
            throw GoogleTokenError.unavailable(after: nil, error.reason)
        }
        return try Self.issued(in: reply, asked: asked)
    }

    private func assertion(_ issued: Date) async throws -> String {
        let seconds = Int(issued.timeIntervalSince1970)
        let claims = Claims(
            iss: account.clientEmail, scope: Self.scope, aud: account.tokenURI, iat: seconds,
            exp: seconds + Self.assertionLifetime)
        let id = account.privateKeyID.map { JWKIdentifier(string: $0) }
        let keys = await JWTKeyCollection().add(rsa: key, digestAlgorithm: .sha256, kid: id)
        return try await keys.sign(claims, kid: id)
    }

    private static func issued(
        in reply: PushReply, asked: Date
    ) throws(GoogleTokenError) -> RenewableToken.Issued {
        switch reply.status {
        case 200:
            guard let answer = try? JSONDecoder().decode(Answer.self, from: reply.body),
                !answer.accessToken.isEmpty,
                answer.accessToken.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
            else { throw .refused("an answer without a token") }
            let lifetime = min(max(answer.expiresIn ?? 3_600, 60), 86_400)
            return .init(
                text: answer.accessToken, renewAt: asked.addingTimeInterval(max(lifetime - margin, 30)))
        case 408, 429, 500...:
            throw .unavailable(after: reply.retryAfter, "OAuth: HTTP status \(reply.status)")
        default:
            let answer = try? JSONDecoder().decode(Refusal.self, from: reply.body)
            throw .refused("OAuth: \(reasonWord(answer?.error, status: reply.status))")
        }
    }

    private struct Claims: JWTPayload {
        let iss: String
        let scope: String
        let aud: String
        let iat: Int
        let exp: Int

        // This process only signs; Google verifies.
        func verify(using algorithm: some JWTAlgorithm) async throws {}
    }

    private struct Answer: Decodable {
        let accessToken: String
        let expiresIn: Double?

        enum CodingKeys: String, CodingKey {
            case accessToken = "access_token"
            case expiresIn = "expires_in"
        }
    }

    private struct Refusal: Decodable {
        let error: String?
    }
}
