import Foundation
import NIOHTTP1

/// Firebase Cloud Messaging, HTTP v1.
package struct FCMGateway: PushGateway {
    /// The longest time for which FCM keeps a message.
    static let maxTimeToLive = 28 * 86_400
    static let maxPayloadBytes = 4_096

    package let name = "fcm"
    private let url: String
    private let token: RenewableToken
    private let transport: PushTransport
    private let now: @Sendable () -> Date

    /// - Throws: `PushKeyUnreadable`.
    package init(
        url: String, account: ServiceAccount, transport: PushTransport,
        now: @escaping @Sendable () -> Date = { Date() }
    ) throws {
        self.url = "\(url)/v1/projects/\(account.projectID)/messages:send"
        self.transport = transport
        self.now = now
        let google = try GoogleAccessToken(account: account, transport: transport, now: now)
        token = RenewableToken(now: now) { try await google.issue() }
    }

    package func send(_ message: PushMessage, to device: DeviceToken) async -> PushOutcome {
        guard let body = try? body(of: message, to: device),
            body.count - device.text.utf8.count <= Self.maxPayloadBytes
        else { return .refused(reason: "the message is too large") }
        do {
            let current = try await token.value()
            let reply = try await post(body, as: current)
            guard reply.status == 401 else { return Self.outcome(of: reply) }
            let renewed = try await token.value(insteadOf: current)
            return Self.outcome(of: try await post(body, as: renewed))
        } catch let error as PushUnreachable {
            return error.outcome
        } catch GoogleTokenError.unavailable(let after, let reason) {
            return .unavailable(after: after, reason: reason)
        } catch GoogleTokenError.refused(let reason) {
            return .misconfigured(reason: reason)
        } catch {
            return .misconfigured(reason: "no assertion can be signed")
        }
    }

    private func post(_ body: Data, as token: String) async throws(PushUnreachable) -> PushReply {
        try await transport.post(url, headers: .json(authorization: "Bearer \(token)"), body: body)
    }
}

// MARK: Request

extension FCMGateway {
    private struct Body: Encodable {
        struct Shown: Encodable {
            let titleKey: String
            let bodyKey: String
            /// A later notification with the same tag replaces the shown one.
            let tag: String
            let sound = "default"

            enum CodingKeys: String, CodingKey {
                case titleKey = "title_loc_key"
                case bodyKey = "body_loc_key"
                case tag
                case sound
            }
        }

        struct Android: Encodable {
            let priority: String
            let ttl: String
            let collapseKey: String
            /// Nil: the app gets the data alone, and shows nothing by itself.
            let notification: Shown?

            enum CodingKeys: String, CodingKey {
                case priority
                case ttl
                case collapseKey = "collapse_key"
                case notification
            }
        }

        struct Message: Encodable {
            let token: String
            let data: [String: String]
            let android: Android
        }

        let message: Message
    }

    func body(of message: PushMessage, to device: DeviceToken) throws -> Data {
        let left = Int(message.expiresAt.timeIntervalSince(now()).rounded(.down))
        let android = Body.Android(
            priority: message.urgency == .immediate ? "HIGH" : "NORMAL",
            ttl: "\(min(max(left, 0), Self.maxTimeToLive))s", collapseKey: message.collapseID,
            notification: message.isSilent
                ? nil
                : .init(titleKey: message.titleKey, bodyKey: message.bodyKey, tag: message.collapseID))
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(
            Body(message: .init(token: device.text, data: message.data, android: android)))
    }
}

// MARK: Answer

extension FCMGateway {
    /// `google.rpc.Status` with FCM's own code among its details.
    private struct Answer: Decodable {
        struct Violation: Decodable {
            let field: String?
        }

        struct Detail: Decodable {
            let errorCode: String?
            let fieldViolations: [Violation]?
        }

        struct Failure: Decodable {
            let status: String?
            let message: String?
            let details: [Detail]?
        }

        let error: Failure?
    }

    /// Firebase, "ErrorCode" of the HTTP v1 API.
    static func outcome(of reply: PushReply) -> PushOutcome {
        if reply.status == 200 { return .accepted }
        let failure = (try? JSONDecoder().decode(Answer.self, from: reply.body))?.error
        let code = failure?.details?.lazy.compactMap(\.errorCode).first ?? failure?.status
        let reason = reasonWord(code, status: reply.status)
        switch (reply.status, reason) {
        case (_, "UNREGISTERED"): return .unregistered(since: nil, reason: reason)
        // A token of another project gets these answers too.
        case (404, "NOT_FOUND"), (403, "SENDER_ID_MISMATCH"): return .doubtful(reason: reason)
        case (400, _):
            return isAboutToken(failure) ? .doubtful(reason: reason) : .refused(reason: reason)
        case (408, _), (429, _), (500..., _):
            return .unavailable(after: reply.retryAfter, reason: reason)
        case (413, _): return .refused(reason: reason)
        default: return .misconfigured(reason: reason)
        }
    }

    /// Whether INVALID_ARGUMENT is about the token. FCM reports a malformed message with the same code, and that is not the
    /// device's fault.
    private static func isAboutToken(_ failure: Answer.Failure?) -> Bool {
        let fields = (failure?.details ?? []).flatMap { $0.fieldViolations ?? [] }.compactMap(\.field)
        if !fields.isEmpty { return fields.allSatisfy { $0 == "message.token" || $0 == "token" } }
        return failure?.message?.lowercased().contains("registration token") ?? false
    }
}
