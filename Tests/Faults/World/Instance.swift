import DaylyTesting
import Foundation
import ProgramTesting
import Synchronization

/// One process of the real `dayly`, behind proxies of its own, which its commands pass too.
package struct Instance: ServesDayly {
    struct Targets {
        let database: String
        /// Past the pooler that `database` leads through; without a proxy.
        let direct: String?
        let store: UInt16
        let pushes: UInt16?
    }

    package let board = Switchboard()
    package let program: ServedDayly
    private let proxies: (PostgresProxy, HTTPProxy, HTTPProxy, HTTPProxy?)

    init(
        folder: URL, number: Int, settings: [String: String], targets: Targets, inbox: Inbox, journal: Journal
    ) throws {
        guard let database = URLComponents(string: targets.database),
            let databasePort = database.port.flatMap(UInt16.init(exactly:))
        else { throw ProxyError(description: "the database's URL has no port") }
        proxies = (
            try PostgresProxy(to: databasePort, board: board),
            try HTTPProxy(
                .store, board: board, witness: { journal.note($0, "of \(number) \($1)") },
                backend: HTTPProxy.forwarding(to: targets.store)),
            try HTTPProxy(.messages, board: board) { { inbox.answer($0) } },
            try targets.pushes.map { [board] in
                try HTTPProxy(.pushes, board: board, backend: HTTPProxy.forwarding(to: $0))
            }
        )
        var proxied = database
        proxied.port = Int(proxies.0.port)
        proxied.query = "sslmode=disable&gssencmode=disable"
        var all = settings
        all["database.url"] = proxied.string
        if let direct = targets.direct { all["database.direct_url"] = direct }
        all["storage.s3.endpoint"] = "http://127.0.0.1:\(proxies.1.port)"
        all["sms.http.url"] = "http://127.0.0.1:\(proxies.2.port)/sms"
        if let pushes = proxies.3 { all["push.fcm.url"] = "http://127.0.0.1:\(pushes.port)" }
        let temporary = folder.appendingPathComponent("tmp")
        try FileManager.default.createDirectory(at: temporary, withIntermediateDirectories: true)
        program = try ServedDayly(
            in: folder, settings: all, name: "serve-\(number)", variables: ["TMPDIR": temporary.path])
    }

    /// Waits until nothing has passed the proxies for a while.
    package func quiesce(for pause: Duration = .milliseconds(40)) async throws {
        try? await eventually("quiet", within: .seconds(5), every: .milliseconds(5)) { board.quiet >= pause }
    }
}

/// A fake SMS gateway that speaks what `sms.kind=http` speaks.
final class Inbox: Sendable {
    static let token = "fault-harness-sms-token"

    private let received = Mutex<[TextMessage]>([])

    var messages: [TextMessage] { received.withLock { $0 } }

    func answer(_ request: HTTPMessage) -> [UInt8]? {
        guard request.headers["authorization"] == "Bearer \(Self.token)",
            let message = try? JSONDecoder().decode(TextMessage.self, from: Data(request.body))
        else { return HTTPProxy.answer(400) }
        received.withLock { $0.append(message) }
        return HTTPProxy.answer(202)
    }

    /// How many sign-in codes have been sent to the number.
    func count(to number: String) -> Int { codes(to: number).count }

    /// The first code after the first `count`; nil while there is none.
    func code(to number: String, after count: Int) -> String? {
        codes(to: number).dropFirst(count).first
    }

    private func codes(to number: String) -> [String] {
        messages.filter { $0.to == number }.compactMap { message in
            message.body.firstMatch(of: /code is: ([0-9]{6})/).map { String($0.1) }
        }
    }
}
