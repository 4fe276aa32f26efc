import DaylyTesting
import Foundation
import Hummingbird
import Logging
import NIOCore
import Synchronization

/// A fake SMS gateway that speaks what `sms.kind=http` speaks, and keeps what it is given.
final class SMSInbox: Sendable {
    typealias Message = TextMessage

    static let token = "end-to-end-sms-token"
    /// Messages to it are not accepted.
    static let refusedNumber = "+14155550199"

    private let received = Mutex<[Message]>([])

    var messages: [Message] { received.withLock { $0 } }

    /// Serves until `body` ends, at a URL of 127.0.0.1.
    static func run<Value: Sendable>(
        _ body: @Sendable @escaping (SMSInbox, String) async throws -> Value
    ) async throws -> Value {
        let inbox = SMSInbox()
        let router = Router()
        router.post("sms") { request, _ -> HTTPResponse.Status in
            guard request.headers[.authorization] == "Bearer \(token)" else { return .unauthorized }
            let body = try await request.body.collect(upTo: 64 << 10)
            let message = try JSONDecoder().decode(Message.self, from: Data(buffer: body))
            inbox.received.withLock { $0.append(message) }
            return message.to == refusedNumber ? .badRequest : .accepted
        }
        return try await serving(router.buildResponder()) { port in
            try await body(inbox, "http://127.0.0.1:\(port)/sms")
        }
    }

    /// The code in the newest sign-in message to `number`, of at least `count`.
    func code(to number: String, count: Int = 1) async throws -> String {
        try await eventually("SMS \(count) with a code") {
            let codes = messages.filter { $0.to == number }.compactMap { Self.code(in: $0.body) }
            return codes.count >= count ? codes.last : nil
        }
    }

    private static func code(in body: String) -> String? {
        body.firstMatch(of: /code is: ([0-9]{6})/).map { String($0.1) }
    }
}
