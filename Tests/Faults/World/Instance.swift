import DaylyTesting
import Foundation
import ProgramTesting
import Synchronization

/// One process of the real `dayly`, behind proxies of its own. `serve` keeps its port over restarts; commands run
/// beside it with the same settings, through the same proxies.
package final class Instance: Sendable {
    struct Targets {
        let database: String
        /// Past the pooler that `database` leads through; without a proxy.
        let direct: String?
        let store: UInt16
        let pushes: UInt16?
    }

    package let board = Switchboard()
    package let url: String
    private let folder: URL
    private let number: Int
    private let environment: [String: String]
    private let proxies: (PostgresProxy, HTTPProxy, HTTPProxy, HTTPProxy?)
    private let process = Mutex<ChildProcess?>(nil)

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
        let port = try freePort()
        var all = settings
        all["http.port"] = String(port)
        all["database.url"] = proxied.string
        if let direct = targets.direct { all["database.direct_url"] = direct }
        all["storage.s3.endpoint"] = "http://127.0.0.1:\(proxies.1.port)"
        all["sms.http.url"] = "http://127.0.0.1:\(proxies.2.port)/sms"
        if let pushes = proxies.3 { all["push.fcm.url"] = "http://127.0.0.1:\(pushes.port)" }
        var environment = Programs.environment(all)
        let temporary = folder.appendingPathComponent("tmp")
        try FileManager.default.createDirectory(at: temporary, withIntermediateDirectories: true)
        environment["TMPDIR"] = temporary.path
        self.folder = folder
        self.number = number
        self.environment = environment
        url = "http://127.0.0.1:\(port)"
    }

    private var logFile: URL { folder.appendingPathComponent("serve-\(number).log") }

    /// All that `serve` has written.
    package var log: String { (try? String(contentsOf: logFile, encoding: .utf8)) ?? "" }

    /// Starts `serve` and waits until it is ready and has done what it does first.
    package func start() async throws {
        let child = try ChildProcess(
            Programs.find("dayly"), ["serve"], environment: environment, output: logFile)
        process.withLock { $0 = child }
        try await eventually("the service to be ready", within: .seconds(60), every: .milliseconds(40)) {
            if let status = child.exitStatus {
                throw TimedOut(description: "serve ended with exit status \(status):\n\(log.suffix(2_000))")
            }
            let reply = try? await Web.send("GET", url + "/readyz", timeout: .seconds(3))
            return reply?.status == 200
        }
    }

    package func kill9() async throws {
        guard let child = process.withLock({ $0 }), child.exitStatus == nil else { return }
        try await child.kill9()
    }

    package func restart() async throws {
        try await kill9()
        try await start()
    }

    /// Waits until nothing has passed the proxies for a while.
    package func quiesce(for pause: Duration = .milliseconds(40)) async throws {
        try? await eventually("quiet", within: .seconds(5), every: .milliseconds(5)) { board.quiet >= pause }
    }

    /// Starts `dayly ARGUMENTS`.
    package func command(_ arguments: [String]) throws -> ChildProcess {
        let output = folder.appendingPathComponent("command-\(UUID().uuidString.prefix(8)).log")
        return try ChildProcess(
            Programs.find("dayly"), arguments, environment: environment, output: output)
    }

    /// Runs `dayly ARGUMENTS` to its end.
    @discardableResult
    package func run(_ arguments: String...) async throws -> CommandResult {
        try await run(arguments)
    }

    func run(_ arguments: [String]) async throws -> CommandResult {
        let child = try command(arguments)
        let status = try await child.waitForExit(within: .seconds(60))
        return CommandResult(status: status, output: try String(contentsOf: child.output, encoding: .utf8))
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
