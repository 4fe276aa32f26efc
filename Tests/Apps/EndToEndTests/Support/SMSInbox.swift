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
    private let port = Mutex<Int?>(nil)

    var messages: [Message] { received.withLock { $0 } }

    /// Serves until `body` ends, at a URL of 127.0.0.1.
    static func run<Value: Sendable>(
        _ body: @Sendable @escaping (SMSInbox, String) async throws -> Value
    ) async throws -> Value {
        let inbox = SMSInbox()
        return try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask {
                try await inbox.application.run()
                return nil
            }
            group.addTask {
                let port = try await eventually("the SMS gateway") { inbox.port.withLock { $0 } }
                return try await body(inbox, "http://127.0.0.1:\(port)/sms")
            }
            defer { group.cancelAll() }
            while let value = try await group.next() {
                if let value { return value }
            }
            throw CancellationError()
        }
    }

    private var application: some ApplicationProtocol {
        let router = Router()
        router.post("sms") { request, _ -> HTTPResponse.Status in
            guard request.headers[.authorization] == "Bearer \(Self.token)" else { return .unauthorized }
            let body = try await request.body.collect(upTo: 64 << 10)
            let message = try JSONDecoder().decode(Message.self, from: Data(buffer: body))
            self.received.withLock { $0.append(message) }
            return message.to == Self.refusedNumber ? .badRequest : .accepted
        }
        return Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { channel in self.port.withLock { $0 = channel.localAddress?.port } },
            logger: .silent)
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
