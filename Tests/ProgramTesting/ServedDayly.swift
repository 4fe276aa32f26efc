import DaylyTesting
import Foundation
import Glibc
import Synchronization

/// The real `dayly` in a folder of its own: `serve`, which keeps its port over restarts, and commands beside it with the same
/// settings.
package final class ServedDayly: Sendable {
    package let folder: URL
    package let port: Int
    private let environment: [String: String]
    private let logFile: URL
    private let process = Mutex<ChildProcess?>(nil)

    /// - Parameters:
    ///   - name: of the file with what `serve` writes.
    ///   - variables: of the environment, beside those of the settings.
    package init(
        in folder: URL, settings: [String: String], name: String = "serve", variables: [String: String] = [:]
    ) throws {
        port = try freePort()
        self.folder = folder
        environment = Programs.environment(settings.merging(["http.port": String(port)]) { $1 })
            .merging(variables) { $1 }
        logFile = folder.appendingPathComponent("\(name).log")
    }
}

/// Whoever has such a service is used as if it were one.
package protocol ServesDayly: Sendable {
    var program: ServedDayly { get }
}

extension ServedDayly: ServesDayly {
    package var program: ServedDayly { self }

    fileprivate var child: ChildProcess? { process.withLock { $0 } }

    fileprivate func launch(_ arguments: [String], _ changes: [String: String], output: String) throws
        -> ChildProcess
    {
        try ChildProcess(
            Programs.find("dayly"), arguments,
            environment: environment.merging(Programs.variables(changes)) { $1 },
            output: folder.appendingPathComponent(output))
    }

    fileprivate func serve() throws -> ChildProcess {
        let child = try launch(["serve"], [:], output: logFile.lastPathComponent)
        process.withLock { $0 = child }
        return child
    }

    fileprivate var written: String { (try? String(contentsOf: logFile, encoding: .utf8)) ?? "" }
}

extension ServesDayly {
    /// The address past all proxies.
    package var url: String { "http://127.0.0.1:\(program.port)" }

    /// All that `serve` has written.
    package var log: String { program.written }

    package var processID: Int32? { program.child?.id }

    package var isRunning: Bool { program.child.map { $0.exitStatus == nil } ?? false }

    /// Starts `serve` and waits until it is ready, or until `path` answers 200.
    package func start(until path: String = "/readyz") async throws {
        let child = try program.serve()
        try await eventually("200 for \(path)", within: .seconds(60), every: .milliseconds(40)) {
            if let status = child.exitStatus {
                throw TimedOut(description: "serve ended with exit status \(status):\n\(log.suffix(2_000))")
            }
            let reply = try? await Web.send("GET", url + path, timeout: .seconds(3))
            return reply?.status == 200
        }
    }

    /// Starts `serve`, runs `body`, and kills it. If `body` fails, the end of the log is printed.
    package func serving(_ body: () async throws -> Void) async throws {
        do {
            try await start()
            try await body()
        } catch {
            print("The log of the service ends with:\n\(log.suffix(4_000))")
            try? await kill9()
            throw error
        }
        try await kill9()
    }

    package func kill9() async throws {
        try await program.child?.kill9()
    }

    package func restart() async throws {
        try await kill9()
        try await start()
    }

    /// SIGTERM; nothing is waited for.
    package func terminate() {
        program.child?.signal(SIGTERM)
    }

    /// The exit status of `serve`.
    package func waitForExit(within limit: Duration) async throws -> Int32? {
        try await program.child?.waitForExit(within: limit)
    }

    /// Starts `dayly ARGUMENTS` beside the service, with its settings but `changes`, and lets it run.
    package func launch(
        _ arguments: [String], _ changes: [String: String] = [:],
        output: String = "command-\(UUID().uuidString.prefix(8)).log"
    ) throws -> ChildProcess {
        try program.launch(arguments, changes, output: output)
    }

    /// Runs `dayly ARGUMENTS` to its end.
    @discardableResult
    package func run(_ arguments: [String]) async throws -> CommandResult {
        let child = try launch(arguments)
        let status = try await child.waitForExit(within: .seconds(60))
        return CommandResult(status: status, output: try String(contentsOf: child.output, encoding: .utf8))
    }

    @discardableResult
    package func run(_ arguments: String...) async throws -> CommandResult { try await run(arguments) }
}
