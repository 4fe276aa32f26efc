import Crypto
import DaylyTesting
import Foundation
import Hummingbird
import HummingbirdCore
import NIOCore
import Push

/// A fake of the browsers' push services behind one relay. It checks what they check, and answers as a test asks.
package final class FakeWebPush: Sendable {
    package static let contact = "mailto:operator@dayly.de"
    package static let key = P256.Signing.PrivateKey()

    package let record = PushRecord()
    package let url: String

    private init(port: Int) {
        url = "http://127.0.0.1:\(port)"
    }

    /// Serves until `body` ends.
    package static func run<Value: Sendable>(
        _ body: @Sendable @escaping (FakeWebPush) async throws -> Value
    ) async throws -> Value {
        let fakes = Shelf<FakeWebPush>()
        let router = Router(context: FakeContext.self)
        router.post("**") { request, context -> Response in
            guard let fake = fakes.value else { return Response(status: .serviceUnavailable) }
            return try await fake.respond(to: request, context)
        }
        return try await serving(router.buildResponder()) { port in
            let fake = FakeWebPush(port: port)
            fakes.value = fake
            return try await body(fake)
        }
    }

    package static var publicKey: String { Base64URLText.encode(key.publicKey.x963Representation) }

    /// The settings of a service that uses the fake, by their keys. It writes the file that they name into `folder`.
    package func settings(in folder: URL) throws -> [String: String] {
        let file = folder.appendingPathComponent("web-push.pem")
        try Data(Self.key.pemRepresentation.utf8).write(to: file)
        return ["push.web.url": url, "push.web.key": file.path, "push.web.contact": Self.contact]
    }

    private func respond(to request: Request, _ context: FakeContext) async throws -> Response {
        let body = Data(try await request.body.collect(upTo: 64 << 10).readableBytesView)
        let push = ReceivedPush(
            token: request.uri.path, headers: request.headers.byName, body: body, receivedAt: .now,
            connection: context.connection)
        let violations = Self.violations(of: push)
        if !violations.isEmpty {
            record.note(violations: violations)
            return Response(status: .badRequest)
        }
        switch record.note(push) {
        case .accept: return Response(status: .created)
        case .refuse(let status, let reason, _, let retryAfter, _):
            var headers: HTTPFields = [:]
            if let retryAfter { headers[.retryAfter] = retryAfter }
            return Response(
                status: .init(code: status), headers: headers,
                body: .init(byteBuffer: ByteBuffer(string: #"{"reason":"\#(reason)"}"#)))
        case .hang: return try await hang(context)
        case .close:
            context.cutOff()
            return Response(status: .badGateway)
        }
    }

    private static func violations(of push: ReceivedPush) -> [String] {
        var found: [String] = []
        func check(_ isRight: Bool, _ what: String) {
            if !isRight { found.append(what) }
        }
        let headers = push.headers
        check(headers["content-encoding"] == "aes128gcm", "content-encoding")
        check(headers["ttl"].flatMap { Int($0) }.map { (0...2_419_200).contains($0) } ?? false, "ttl")
        check(["high", "normal"].contains(headers["urgency"]), "urgency")
        check(headers["topic"]?.wholeMatch(of: /[A-Za-z0-9_-]{1,32}/) != nil, "topic")
        check(push.body.count <= 4_096, "size")
        check(isSigned(headers["authorization"] ?? ""), "authorization")
        return found
    }

    /// The origin that the message was signed for.
    package static func audience(of push: ReceivedPush) -> String {
        guard let token = (push.headers["authorization"] ?? "").wholeMatch(of: /vapid t=([^,]+),.*/)?.1 else {
            return ""
        }
        return tokenPart(String(token), 1)["aud"] as? String ?? ""
    }

    /// RFC 8292, sections 2 and 3.
    private static func isSigned(_ field: String) -> Bool {
        guard let match = field.wholeMatch(of: /vapid t=([A-Za-z0-9_.-]+), k=([A-Za-z0-9_-]+)/),
            Base64URLText.decode(String(match.2)) == Array(key.publicKey.x963Representation)
        else { return false }
        let token = String(match.1)
        let parts = token.split(separator: ".")
        guard parts.count == 3, let bytes = Base64URLText.decode(String(parts[2])),
            let signature = try? P256.Signing.ECDSASignature(rawRepresentation: bytes),
            key.publicKey.isValidSignature(signature, for: Data("\(parts[0]).\(parts[1])".utf8))
        else { return false }
        let (header, claims) = (tokenPart(token, 0), tokenPart(token, 1))
        let left = (claims["exp"] as? Double ?? 0) - Date().timeIntervalSince1970
        return header["alg"] as? String == "ES256" && header["typ"] as? String == "JWT"
            && (claims["aud"] as? String)?.wholeMatch(of: /https:\/\/[a-z0-9.-]+/) != nil
            && claims["sub"] as? String == contact && left > 0 && left <= 86_400
    }
}

/// A browser with a subscription, which alone can read its messages.
package struct FakeBrowser: Sendable {
    package let endpoint: String
    package let key = P256.KeyAgreement.PrivateKey()
    package let secret = SymmetricKey(size: .bits128).withUnsafeBytes { Array($0) }
    package let language: String

    package init(
        endpoint: String = "https://fcm.googleapis.com/fcm/send/\(UUID().uuidString)", language: String = "en"
    ) {
        self.endpoint = endpoint
        self.language = language
    }

    /// The subscription's members as a browser's JSON has them.
    package var p256dh: String { Base64URLText.encode(key.publicKey.x963Representation) }
    package var auth: String { Base64URLText.encode(secret) }

    package func token() throws -> DeviceToken {
        DeviceToken(
            try WebPushSubscription(endpoint: endpoint, key: p256dh, secret: auth, language: language))
    }

    /// RFC 8188 and RFC 8291 from the other side.
    package func read(_ body: Data) throws -> [String: Any] {
        let bytes = Array(body)
        guard bytes.count > 103, bytes[20] == 65 else { throw Unreadable() }
        let (salt, sender, sealed) = (Array(bytes[..<16]), Array(bytes[21..<86]), Array(bytes[86...]))
        let shared = try key.sharedSecretFromKeyAgreement(
            with: P256.KeyAgreement.PublicKey(x963Representation: sender))
        let info = Array("WebPush: info\0".utf8) + Array(key.publicKey.x963Representation) + sender
        let material = shared.hkdfDerivedSymmetricKey(
            using: SHA256.self, salt: secret, sharedInfo: info, outputByteCount: 32)
        func derived(_ name: String, _ count: Int) -> SymmetricKey {
            HKDF<SHA256>.deriveKey(
                inputKeyMaterial: material, salt: salt, info: Array("Content-Encoding: \(name)\0".utf8),
                outputByteCount: count)
        }
        let nonce = try derived("nonce", 12).withUnsafeBytes { try AES.GCM.Nonce(data: Data($0)) }
        let opened = try AES.GCM.open(
            AES.GCM.SealedBox(
                nonce: nonce, ciphertext: sealed.dropLast(16), tag: sealed.suffix(16)),
            using: derived("aes128gcm", 16))
        guard opened.last == 2,
            let json = try JSONSerialization.jsonObject(with: opened.dropLast()) as? [String: Any]
        else { throw Unreadable() }
        return json
    }

    package struct Unreadable: Error {}
}
