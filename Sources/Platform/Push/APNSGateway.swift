import Foundation
import JWTKit
import NIOHTTP1

/// The Apple Push Notification service over HTTP/2, with provider tokens (Apple, "Sending notification requests to APNs"
/// and "Establishing a token-based connection to APNs").
package struct APNSGateway: PushGateway {
    /// The age at which a provider token is renewed. Apple accepts a new token after 20 minutes at the earliest, and no
    /// token older than 60.
    static let tokenLifetime: TimeInterval = 40 * 60
    static let maxPayloadBytes = 4_096
    static let maxCollapseIDBytes = 64

    package struct Configuration: Sendable {
        package let url: String
        package let teamID: String
        package let keyID: String
        /// The P-256 private key in PEM: the content of the `.p8` file.
        package let key: String
        /// The app's bundle ID.
        package let topic: String

        package init(url: String, teamID: String, keyID: String, key: String, topic: String) {
            self.url = url
            self.teamID = teamID
            self.keyID = keyID
            self.key = key
            self.topic = topic
        }
    }

    package let name = "apns"
    private let url: String
    private let topic: String
    private let token: RenewableToken
    private let transport: PushTransport

    /// - Throws: `PushKeyUnreadable`.
    package init(
        _ configuration: Configuration, transport: PushTransport,
        now: @escaping @Sendable () -> Date = { Date() }
    ) throws {
        url = configuration.url
        topic = configuration.topic
        self.transport = transport
        guard let key = try? ES256PrivateKey(pem: configuration.key) else { throw PushKeyUnreadable() }
        token = RenewableToken(now: now) {
            let issued = now()
            let id = JWKIdentifier(string: configuration.keyID)
            let keys = await JWTKeyCollection().add(ecdsa: key, kid: id)
            let text = try await keys.sign(
                Claims(iss: configuration.teamID, iat: Int(issued.timeIntervalSince1970)), kid: id)
            return .init(text: text, renewAt: issued.addingTimeInterval(Self.tokenLifetime))
        }
    }

    package func send(_ message: PushMessage, to device: DeviceToken) async -> PushOutcome {
        guard message.collapseID.utf8.count <= Self.maxCollapseIDBytes,
            let payload = try? Self.payload(of: message), payload.count <= Self.maxPayloadBytes
        else { return .refused(reason: "the message is too large") }
        do {
            let current = try await token.value()
            let reply = try await post(payload, message, to: device, as: current)
            guard reply.status == 403, Self.answer(in: reply).reason == "ExpiredProviderToken" else {
                return Self.outcome(of: reply)
            }
            // Our clock and Apple's may differ, so the gateway tries once with a token made now.
            let renewed = try await token.value(insteadOf: current)
            return Self.outcome(of: try await post(payload, message, to: device, as: renewed))
        } catch let error as PushUnreachable {
            return error.outcome
        } catch {
            return .misconfigured(reason: "no provider token can be signed")
        }
    }

    private func post(
        _ payload: Data, _ message: PushMessage, to device: DeviceToken, as token: String
    ) async throws(PushUnreachable) -> PushReply {
        var headers = HTTPHeaders.json(authorization: "bearer \(token)")
        headers.add(name: "apns-topic", value: topic)
        headers.add(name: "apns-push-type", value: message.isSilent ? "background" : "alert")
        // Apple refuses a message in the background with priority 10.
        let isUrgent = message.urgency == .immediate && !message.isSilent
        headers.add(name: "apns-priority", value: isUrgent ? "10" : "5")
        headers.add(name: "apns-expiration", value: "\(Int(message.expiresAt.timeIntervalSince1970))")
        headers.add(name: "apns-collapse-id", value: message.collapseID)
        headers.add(name: "apns-id", value: message.id.uuidString.lowercased())
        return try await transport.post(
            "\(url)/3/device/\(device.text)", headers: headers, body: payload)
    }

    private struct Claims: JWTPayload {
        let iss: String
        let iat: Int

        // This process only signs; Apple verifies.
        func verify(using algorithm: some JWTAlgorithm) async throws {}
    }
}

/// The key is not a private key of the kind that is needed.
package struct PushKeyUnreadable: Error, Sendable {
    package init() {}
}

// MARK: Request

extension APNSGateway {
    private struct Payload: Encodable {
        struct Alert: Encodable {
            let titleKey: String
            let bodyKey: String

            enum CodingKeys: String, CodingKey {
                case titleKey = "title-loc-key"
                case bodyKey = "loc-key"
            }
        }

        struct Shown: Encodable {
            let alert: Alert
            let sound = "default"
            let threadID: String
            /// Lets the app add its own data (the group's name) before the message is shown.
            let mutableContent = 1

            enum CodingKeys: String, CodingKey {
                case alert
                case sound
                case threadID = "thread-id"
                case mutableContent = "mutable-content"
            }
        }

        struct Silent: Encodable {
            let contentAvailable = 1

            enum CodingKeys: String, CodingKey {
                case contentAvailable = "content-available"
            }
        }

        /// Nil: the message only wakes the app.
        let shown: Shown?
        let data: [String: String]

        func encode(to encoder: any Encoder) throws {
            var members = encoder.container(keyedBy: Name.self)
            for (name, value) in data { try members.encode(value, forKey: Name(name)) }
            if let shown {
                try members.encode(shown, forKey: Name("aps"))
            } else {
                try members.encode(Silent(), forKey: Name("aps"))
            }
        }
    }

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(_ text: String) { stringValue = text }
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    static func payload(of message: PushMessage) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(
            Payload(
                shown: message.isSilent
                    ? nil
                    : .init(
                        alert: .init(titleKey: message.titleKey, bodyKey: message.bodyKey),
                        threadID: message.threadID),
                data: message.data))
    }
}

// MARK: Answer

extension APNSGateway {
    private struct Answer: Decodable {
        var reason: String?
        /// The time at which APNs found the token to be invalid, in milliseconds since 1970.
        var timestamp: Double?
    }

    private static func answer(in reply: PushReply) -> Answer {
        (try? JSONDecoder().decode(Answer.self, from: reply.body)) ?? Answer()
    }

    /// Apple, "Handling notification responses from APNs".
    static func outcome(of reply: PushReply) -> PushOutcome {
        guard reply.isHTTP2 else { return .misconfigured(reason: "no HTTP/2 spoken there") }
        let answer = answer(in: reply)
        let reason = reasonWord(answer.reason, status: reply.status)
        switch (reply.status, reason) {
        case (200, _): return .accepted
        case (410, _):
            let since = answer.timestamp.map { Date(timeIntervalSince1970: $0 / 1_000) }
            return .unregistered(since: since, reason: reason)
        // A token of the sandbox, or of another app, gets the same answers.
        case (400, "BadDeviceToken"), (400, "DeviceTokenNotForTopic"): return .doubtful(reason: reason)
        case (429, "TooManyRequests"): return .throttled(after: reply.retryAfter, reason: reason)
        case (429, _), (408, _), (500..., _), (400, "IdleTimeout"):
            return .unavailable(after: reply.retryAfter, reason: reason)
        case (400, "BadTopic"), (400, "MissingTopic"), (400, "TopicDisallowed"), (403, _), (404, _),
            (405, _),
            (..<400, _):
            return .misconfigured(reason: reason)
        default: return .refused(reason: reason)
        }
    }
}
