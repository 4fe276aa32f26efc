import Crypto
import Foundation
import Logging
import NIOHTTP1
import Synchronization

/// The text of a message for a browser. Unlike other platforms' messages it is encrypted from here to the browser, so that it
/// may hold a name.
package struct WebPushText: Sendable {
    package let title: String
    package let body: String
    /// The language of both (BCP 47).
    package let language: String
    /// The page that a tap opens.
    package let url: String

    package init(title: String, body: String, language: String, url: String) {
        self.title = title
        self.body = body
        self.language = language
        self.url = url
    }
}

/// Messages to browsers through the push services of their makers. Each service has a lane of its own, so that a message
/// does not wait for another service.
package struct WebPushGateway: PushGateway {
    package let name = "web"
    /// The places for hosts that have not accepted a message yet, of a service that has many hosts.
    private static let maxUntried = 4
    /// More than such a service has. A host beyond them stays untried.
    private static let maxTried = 64

    private let lanes: [WebPushService: PushLane]
    /// Anybody may register a host that does not exist or hangs, so that such hosts have a lane of their own.
    private let untried: PushLane
    private let tried = TriedHosts()
    private let transports: [PushTransport]

    /// - Parameters:
    ///   - relay: a URL that gets all messages instead of the push services' hosts, for tests and for networks whose only way
    ///     out is a relay.
    ///   - text: the message in a language.
    package init(
        credentials: WebPushCredentials, relay: String? = nil, logger: Logger,
        now: @escaping @Sendable () -> Date = { Date() },
        text: @escaping @Sendable (_ message: PushMessage, _ language: String) -> WebPushText
    ) throws {
        var transports: [PushTransport] = []
        func lane(places: Int, isTried: Bool = true) throws -> PushLane {
            let transport = try PushTransport(maxConnections: places)
            transports.append(transport)
            var limits = PushLane.Limits()
            limits.maxConcurrent = places
            return PushLane(
                WebPushSender(
                    credentials: credentials, relay: relay, transport: transport, isTried: isTried, now: now,
                    text: text),
                limits: limits, logger: logger)
        }
        lanes = try WebPushService.allCases.reduce(into: [:]) { lanes, service in
            lanes[service] = try lane(places: PushLane.Limits().maxConcurrent)
        }
        untried = try lane(places: Self.maxUntried, isTried: false)
        self.transports = transports
    }

    /// The places of all lanes. A message whose own lane is full is postponed.
    package var openPlaces: Int { lanes.values.reduce(0) { $0 + $1.openPlaces } }

    package func openPlaces(in lane: String) -> Int {
        lanes.first { $0.key.lane == lane }?.value.openPlaces ?? openPlaces
    }

    package func send(_ message: PushMessage, to token: DeviceToken) async -> PushOutcome {
        guard let endpoint = token.subscription?.endpoint, let lane = lanes[endpoint.service] else {
            return .unregistered(since: nil, reason: "not_a_subscription")
        }
        guard endpoint.service.hasManyHosts, !tried.contains(endpoint.origin) else {
            return await lane.send(message, to: token)
        }
        let outcome = await untried.send(message, to: token)
        if outcome == .accepted { tried.insert(endpoint.origin, upTo: Self.maxTried) }
        return outcome
    }

    package func shutdown() async throws {
        for transport in transports { try await transport.shutdown() }
    }
}

/// The hosts that have accepted a message.
private final class TriedHosts: Sendable {
    private let origins = Mutex<Set<String>>([])

    func contains(_ origin: String) -> Bool { origins.withLock { $0.contains(origin) } }

    func insert(_ origin: String, upTo limit: Int) {
        origins.withLock { if $0.count < limit { $0.insert(origin) } }
    }
}

/// Sends to one push service (RFC 8030).
struct WebPushSender: PushGateway {
    /// The longest time for which every service keeps a message: four weeks.
    private static let maxTimeToLive = 28 * 86_400
    private static let maxTopicLength = 32

    let name = "web"
    let credentials: WebPushCredentials
    let relay: String?
    let transport: PushTransport
    /// Whether the host is known to be a push service's. The silence of any other host says nothing about the service.
    let isTried: Bool
    let now: @Sendable () -> Date
    let text: @Sendable (_ message: PushMessage, _ language: String) -> WebPushText

    func send(_ message: PushMessage, to token: DeviceToken) async -> PushOutcome {
        guard let subscription = token.subscription else {
            return .unregistered(since: nil, reason: "not_a_subscription")
        }
        do {
            let content = try WebPushPayload(message, text(message, subscription.language)).json()
            guard content.count <= WebPushEncryption.maxMessageBytes else {
                return .refused(reason: "the message is too large")
            }
            let headers = try headers(of: message, to: subscription.endpoint)
            let body = try WebPushEncryption.body(content, for: subscription)
            return aboutHost(
                Self.outcome(
                    of: try await transport.post(url(subscription.endpoint), headers: headers, body: body)))
        } catch let error as PushUnreachable {
            return aboutHost(error.outcome)
        } catch {
            return .refused(reason: "the message cannot be encrypted")
        }
    }

    private func aboutHost(_ outcome: PushOutcome) -> PushOutcome {
        guard !isTried, case .unavailable(let after, let reason) = outcome else { return outcome }
        return .throttled(after: after, reason: reason)
    }

    private func url(_ endpoint: WebPushEndpoint) -> String {
        relay.map { $0 + endpoint.target } ?? endpoint.url
    }

    private func headers(of message: PushMessage, to endpoint: WebPushEndpoint) throws -> HTTPHeaders {
        let left = Int(message.expiresAt.timeIntervalSince(now()).rounded(.down))
        // A later message with the same topic replaces one that waits at the service (RFC 8030, 5.4).
        let topic = Base64URLText.encode(SHA256.hash(data: Data(message.collapseID.utf8)))
        return [
            "authorization": try credentials.authorization(for: endpoint.origin, now: now()),
            "content-encoding": "aes128gcm", "content-type": "application/octet-stream",
            "ttl": "\(min(max(left, 0), Self.maxTimeToLive))",
            // Phones that save power show other messages much later.
            "urgency": message.urgency == .immediate ? "high" : "normal",
            "topic": String(topic.prefix(Self.maxTopicLength)),
        ]
    }

    /// RFC 8030, and the services' own reasons.
    static func outcome(of reply: PushReply) -> PushOutcome {
        let answer = try? JSONDecoder().decode(Answer.self, from: reply.body)
        let reason = reasonWord(answer?.reason, status: reply.status)
        switch reply.status {
        case 200...202, 204: return .accepted
        case 404, 410: return .unregistered(since: nil, reason: reason)
        // Apple cannot use our signature, whoever the message is for.
        case 403 where reason == "BadJwtToken": return .misconfigured(reason: reason)
        // The subscription may be of another key than ours: then the browser has to subscribe again.
        case 401, 403: return .doubtful(reason: reason)
        case 400 where reason == "VapidPkHashMismatch": return .doubtful(reason: reason)
        case 408, 500...: return .unavailable(after: reply.retryAfter, reason: reason)
        case 429: return .throttled(after: reply.retryAfter, reason: reason)
        default: return .refused(reason: reason)
        }
    }

    private struct Answer: Decodable {
        let reason: String?
    }
}

/// Declarative Web Push: a browser that knows it shows the message without running the client; others hand it to the
/// client's worker, which shows the same.
struct WebPushPayload: Encodable {
    struct Notification: Encodable {
        let title: String
        let body: String
        let lang: String
        let dir = "auto"
        let navigate: String
        let tag: String
        let data: [String: String]
    }

    /// The number by which browsers recognise the format. Nil: the worker has something to do first.
    private let webPush: Int?
    private let notification: Notification

    init(_ message: PushMessage, _ text: WebPushText) {
        webPush = message.isSilent ? nil : 8030
        notification = Notification(
            title: text.title, body: text.body, lang: text.language, navigate: text.url,
            tag: message.collapseID, data: message.data)
    }

    func json() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self)
    }

    enum CodingKeys: String, CodingKey {
        case webPush = "web_push"
        case notification
    }
}
