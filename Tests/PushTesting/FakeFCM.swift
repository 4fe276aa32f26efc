import CryptoExtras
import DaylyTesting
import Foundation
import Hummingbird
import HummingbirdCore
import JWTKit
import NIOCore
import Synchronization

/// A fake of Google's token endpoint and FCM's HTTP v1 API. It checks what Google checks, and answers as a test asks.
package final class FakeFCM: Sendable {
    package static let project = "dayly-test"
    static let email = "push@dayly-test.example"
    static let keyID = "0123456789abcdef"
    private static let key = Result { try _RSA.Signing.PrivateKey(keySize: .bits2048) }

    package let record = PushRecord()
    package let url: String
    private let tokens = Mutex(Tokens())

    private struct Tokens {
        var issued: [String] = []
        var revoked: Set<String> = []
        var lifetime = 3_600
        var refusal: (status: Int, error: String)?
    }

    private init(port: Int) {
        url = "http://127.0.0.1:\(port)"
    }

    /// Serves until `body` ends.
    package static func run<Value: Sendable>(
        _ body: @Sendable @escaping (FakeFCM) async throws -> Value
    ) async throws -> Value {
        let fakes = Shelf<FakeFCM>()
        let router = Router(context: FakeContext.self)
        router.post("**") { request, context -> Response in
            guard let fake = fakes.value else { return Response(status: .serviceUnavailable) }
            return try await fake.respond(to: request, context)
        }
        return try await serving(router.buildResponder()) { port in
            let fake = FakeFCM(port: port)
            fakes.value = fake
            return try await body(fake)
        }
    }

    /// The service account's JSON file, as Google writes it.
    package func serviceAccount() throws -> String {
        let members = [
            "type": "service_account", "project_id": Self.project, "private_key_id": Self.keyID,
            "private_key": try Self.key.get().pkcs8PEMRepresentation, "client_email": Self.email,
            "client_id": "1234567890", "token_uri": "\(url)/token",
        ]
        return String(decoding: try JSONSerialization.data(withJSONObject: members), as: UTF8.self)
    }

    /// The settings of a service that uses the fake, by their keys. It writes the file that they name into `folder`.
    package func settings(in folder: URL) throws -> [String: String] {
        let file = folder.appendingPathComponent("service-account.json")
        try Data(try serviceAccount().utf8).write(to: file)
        return ["push.fcm.url": url, "push.fcm.service_account": file.path]
    }

    /// The number of issued tokens.
    package var issuedTokens: Int { tokens.withLock { $0.issued.count } }

    /// Makes all tokens issued so far invalid.
    package func revokeTokens() {
        tokens.withLock { $0.revoked = Set($0.issued) }
    }

    /// Sets the lifetime of tokens issued from now on.
    package func setTokenLifetime(_ seconds: Int) {
        tokens.withLock { $0.lifetime = seconds }
    }

    package func refuseTokens(_ status: Int, _ error: String) {
        tokens.withLock { $0.refusal = (status, error) }
    }

    private func respond(to request: Request, _ context: FakeContext) async throws -> Response {
        let body = Data(try await request.body.collect(upTo: 64 << 10).readableBytesView)
        switch request.uri.path {
        case "/token": return try await issueToken(String(decoding: body, as: UTF8.self))
        case "/v1/projects/\(Self.project)/messages:send":
            return try await take(body, headers: request.headers.byName, context)
        default: return Response(status: .notFound)
        }
    }

    private static func json(
        _ status: Int, _ members: [String: Any], retryAfter: String? = nil
    ) -> Response {
        let json = (try? JSONSerialization.data(withJSONObject: members)) ?? Data()
        var headers: HTTPFields = [.contentType: "application/json; charset=UTF-8"]
        if let retryAfter { headers[.retryAfter] = retryAfter }
        return Response(
            status: .init(code: status), headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: json)))
    }
}

// MARK: Tokens

extension FakeFCM {
    private struct Claims: JWTPayload {
        let iss: String
        let scope: String
        let aud: String
        let iat: Int
        let exp: Int

        func verify(using algorithm: some JWTAlgorithm) async throws {}
    }

    private func issueToken(_ form: String) async throws -> Response {
        if let refusal = tokens.withLock({ $0.refusal }) {
            return Self.json(refusal.status, ["error": refusal.error])
        }
        let fields = Dictionary(
            form.split(separator: "&").compactMap { field -> (String, String)? in
                let parts = field.split(separator: "=", maxSplits: 1).map {
                    String($0).removingPercentEncoding ?? ""
                }
                return parts.count == 2 ? (parts[0], parts[1]) : nil
            }, uniquingKeysWith: { $1 })
        if let wrong = await wrongAssertion(fields) {
            record.note(violations: ["assertion: \(wrong)"])
            return Self.json(400, ["error": "invalid_grant"])
        }
        let (token, lifetime) = tokens.withLock { tokens in
            let token = "ya29.fake-\(tokens.issued.count + 1)"
            tokens.issued.append(token)
            return (token, tokens.lifetime)
        }
        return Self.json(
            200, ["access_token": token, "expires_in": lifetime, "token_type": "Bearer"])
    }

    private func wrongAssertion(_ fields: [String: String]) async -> String? {
        guard fields["grant_type"] == "urn:ietf:params:oauth:grant-type:jwt-bearer",
            let assertion = fields["assertion"]
        else { return "no grant of that kind" }
        let header = tokenPart(assertion, 0)
        guard header["alg"] as? String == "RS256", header["kid"] as? String == Self.keyID else {
            return "header \(header)"
        }
        guard let pem = try? Self.key.get().publicKey.pemRepresentation,
            let key = try? Insecure.RSA.PublicKey(pem: pem),
            let claims = try? await JWTKeyCollection()
                .add(rsa: key, digestAlgorithm: .sha256, kid: JWKIdentifier(string: Self.keyID))
                .verify(assertion, as: Claims.self)
        else { return "signature" }
        guard claims.iss == Self.email, claims.aud == "\(url)/token",
            claims.scope == "https://www.googleapis.com/auth/firebase.messaging"
        else { return "claims \(claims)" }
        let now = Int(Date().timeIntervalSince1970)
        guard abs(claims.iat - now) < 60, claims.exp > now, claims.exp - claims.iat <= 3_600 else {
            return "times \(claims)"
        }
        return nil
    }
}

// MARK: Messages

extension FakeFCM {
    private func take(
        _ body: Data, headers: [String: String], _ context: FakeContext
    ) async throws -> Response {
        let isGood = tokens.withLock { tokens in
            tokens.issued.contains {
                headers["authorization"] == "Bearer \($0)" && !tokens.revoked.contains($0)
            }
        }
        guard isGood else { return Self.failure(401, "UNAUTHENTICATED") }
        let json = (try? JSONSerialization.jsonObject(with: body) as? [String: Any]) ?? [:]
        let message = json["message"] as? [String: Any] ?? [:]
        let push = ReceivedPush(
            token: message["token"] as? String ?? "", headers: headers, body: body, receivedAt: .now,
            connection: context.connection)
        let violations = Self.violations(of: message, in: json, size: body.count)
        if !violations.isEmpty {
            record.note(violations: violations)
            return Self.failure(400, "INVALID_ARGUMENT")
        }
        switch record.note(push) {
        case .accept:
            return Self.json(200, ["name": "projects/\(Self.project)/messages/\(UUID().uuidString)"])
        case .refuse(let status, let reason, _, let retryAfter, let details):
            return Self.failure(status, reason, retryAfter: retryAfter, details: details)
        case .hang: return try await hang(context)
        case .close:
            context.cutOff()
            return Response(status: .badGateway)
        }
    }

    private static func failure(
        _ status: Int, _ reason: String, retryAfter: String? = nil, details: String = "[]"
    ) -> Response {
        let details = (try? JSONSerialization.jsonObject(with: Data(details.utf8))) ?? []
        return json(
            status, ["error": ["code": status, "status": reason, "message": "refused", "details": details]],
            retryAfter: retryAfter)
    }

    private static func violations(
        of message: [String: Any], in json: [String: Any], size: Int
    ) -> [String] {
        var found: [String] = []
        func check(_ isRight: Bool, _ what: String) {
            if !isRight { found.append(what) }
        }
        let android = message["android"] as? [String: Any] ?? [:]
        let shown = android["notification"] as? [String: Any]
        check(Set(json.keys) == ["message"], "members \(json.keys)")
        check(Set(message.keys) == ["token", "data", "android"], "members of message \(message.keys)")
        check((message["token"] as? String)?.isEmpty == false, "token")
        check(message["data"] is [String: String], "data: strings by strings")
        check(["HIGH", "NORMAL"].contains(android["priority"] as? String), "priority")
        let ttl = (android["ttl"] as? String)?.wholeMatch(of: /([0-9]+)s/).flatMap { Int($0.1) }
        check(ttl.map { (0...2_419_200).contains($0) } ?? false, "ttl")
        check((android["collapse_key"] as? String)?.isEmpty == false, "collapse_key")
        if let shown {
            check(shown["tag"] as? String == android["collapse_key"] as? String, "tag")
            check(shown["title_loc_key"] is String && shown["body_loc_key"] is String, "loc keys")
            check(shown["title"] == nil && shown["body"] == nil, "texts")
        }
        check(size <= 4_096 + 4_096, "size")
        return found
    }
}
