import Crypto
import DaylyTesting
import Foundation
import Hummingbird
import HummingbirdCore
import HummingbirdHTTP2
import JWTKit
import NIOCore
import NIOSSL

/// A fake of Apple's push service on real HTTP/2 over TLS. It checks everything that Apple checks, and answers as a test
/// asks.
package final class FakeAPNS: Sendable {
    package static let teamID = "TEAM012345"
    package static let keyID = "KEY0123456"
    package static let topic = "com.example.dayly"
    /// The service's private key.
    package static let key = P256.Signing.PrivateKey()

    package let record = PushRecord()
    package let url: String
    /// The path of the certificate that a client must trust.
    package let authority: String

    private init(port: Int, authority: String) {
        url = "https://127.0.0.1:\(port)"
        self.authority = authority
    }

    /// Serves until `body` ends.
    package static func run<Value: Sendable>(
        _ body: @Sendable @escaping (FakeAPNS) async throws -> Value
    ) async throws -> Value {
        let fakes = Shelf<FakeAPNS>()
        let router = Router(context: FakeContext.self)
        router.post("**") { request, context -> Response in
            guard let fake = fakes.value else { return Response(status: .serviceUnavailable) }
            return try await fake.respond(to: request, context)
        }
        return try await withTemporaryFolder { folder in
            let certificates = try await TestCertificates.make(in: folder)
            let tls = TLSConfiguration.makeServerConfiguration(
                certificateChain: try NIOSSLCertificate.fromPEMFile(certificates.path("server.pem"))
                    .map { .certificate($0) },
                privateKey: .privateKey(
                    try NIOSSLPrivateKey(file: certificates.path("server.key"), format: .pem)))
            return try await serving(router.buildResponder(), by: .http2Upgrade(tlsConfiguration: tls)) {
                port in
                let fake = FakeAPNS(port: port, authority: certificates.authority)
                fakes.value = fake
                return try await body(fake)
            }
        }
    }

    /// The settings of a service that uses the fake, by their keys. It writes the key into `folder`.
    package func settings(in folder: URL) throws -> [String: String] {
        let key = folder.appendingPathComponent("apns.p8")
        try Data(Self.key.pemRepresentation.utf8).write(to: key)
        return [
            "push.apns.url": url, "push.apns.team_id": Self.teamID, "push.apns.key_id": Self.keyID,
            "push.apns.key": key.path, "push.apns.topic": Self.topic, "push.apns.ca_file": authority,
        ]
    }

    private func respond(to request: Request, _ context: FakeContext) async throws -> Response {
        let body = try await request.body.collect(upTo: 64 << 10)
        let push = ReceivedPush(
            token: request.uri.path.split(separator: "/").last.map(String.init) ?? "",
            headers: request.headers.byName, body: Data(body.readableBytesView), receivedAt: .now,
            connection: context.connection)
        let violations = await violations(of: push, path: request.uri.path, isHTTP2: context.isHTTP2)
        if !violations.isEmpty {
            record.note(violations: violations)
            let isToken = violations.contains { $0.contains("provider token") }
            return Self.reply(isToken ? 403 : 400, violations.joined(separator: "; "))
        }
        switch record.note(push) {
        case .accept:
            return Response(
                status: .ok, headers: [.init("apns-id") ?? .accept: push.headers["apns-id"] ?? ""])
        case .refuse(let status, let reason, let timestamp, let retryAfter, _):
            return Self.reply(status, reason, timestamp: timestamp, retryAfter: retryAfter)
        case .hang: return try await hang(context)
        case .close:
            context.cutOff()
            return Response(status: .badGateway)
        }
    }

    private static func reply(
        _ status: Int, _ reason: String, timestamp: Date? = nil, retryAfter: String? = nil
    ) -> Response {
        var members: [String: Any] = ["reason": reason]
        if let timestamp { members["timestamp"] = Int(timestamp.timeIntervalSince1970 * 1_000) }
        let json = (try? JSONSerialization.data(withJSONObject: members)) ?? Data()
        var headers: HTTPFields = [.contentType: "application/json"]
        if let retryAfter { headers[.retryAfter] = retryAfter }
        return Response(
            status: .init(code: status), headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: json)))
    }
}

// MARK: Apple's checks

extension FakeAPNS {
    private func violations(of push: ReceivedPush, path: String, isHTTP2: Bool) async -> [String] {
        var found: [String] = []
        func check(_ isRight: Bool, _ what: String) {
            if !isRight { found.append(what) }
        }
        let headers = push.headers
        check(isHTTP2, "not HTTP/2")
        check(path.wholeMatch(of: /\/3\/device\/(?:[0-9a-f]{2})+/) != nil, "BadPath")
        check(headers["apns-topic"] == Self.topic, "BadTopic")
        let isSilent = headers["apns-push-type"] == "background"
        check(isSilent || headers["apns-push-type"] == "alert", "InvalidPushType")
        check((isSilent ? ["5"] : ["10", "5"]).contains(headers["apns-priority"]), "BadPriority")
        let expiration = headers["apns-expiration"].flatMap { Int($0) } ?? -1
        check(expiration > 0, "BadExpirationDate")
        check(headers["apns-collapse-id"].map { (1...64).contains($0.utf8.count) } ?? false, "BadCollapseId")
        check(headers["apns-id"].flatMap(UUID.init(uuidString:)) != nil, "BadMessageId")
        check(headers["apns-id"] == headers["apns-id"]?.lowercased(), "BadMessageId: not canonical")
        check(push.body.count <= 4_096, "PayloadTooLarge")
        check(isSilent ? wakes(push.json) : isShowable(push.json), "PayloadEmpty")
        if let wrong = await wrongToken(headers["authorization"]) {
            found.append("provider token: \(wrong)")
        }
        return found
    }

    private func wakes(_ json: [String: Any]) -> Bool {
        (json["aps"] as? [String: Int]) == ["content-available": 1]
    }

    private func isShowable(_ json: [String: Any]) -> Bool {
        guard let aps = json["aps"] as? [String: Any], let alert = aps["alert"] as? [String: Any] else {
            return false
        }
        return alert["loc-key"] is String && alert["title-loc-key"] is String && aps["thread-id"] is String
            && aps["sound"] is String && json["aps.alert"] == nil
    }

    private struct Claims: JWTPayload {
        let iss: String
        let iat: Int

        func verify(using algorithm: some JWTAlgorithm) async throws {}
    }

    private func wrongToken(_ authorization: String?) async -> String? {
        guard let authorization, authorization.hasPrefix("bearer ") else { return "MissingProviderToken" }
        let token = String(authorization.dropFirst("bearer ".count))
        let header = tokenPart(token, 0)
        guard header["alg"] as? String == "ES256", header["kid"] as? String == Self.keyID else {
            return "InvalidProviderToken: header \(header)"
        }
        guard let key = try? ES256PublicKey(pem: Self.key.publicKey.pemRepresentation),
            let claims = try? await JWTKeyCollection()
                .add(ecdsa: key, kid: JWKIdentifier(string: Self.keyID))
                .verify(token, as: Claims.self)
        else { return "InvalidProviderToken: signature" }
        guard claims.iss == Self.teamID, Set(tokenPart(token, 1).keys) == ["iss", "iat"] else {
            return "InvalidProviderToken: claims"
        }
        let age = Date().timeIntervalSince1970 - Double(claims.iat)
        return age > 3_600 || age < -60 ? "ExpiredProviderToken" : nil
    }
}
