import DaylyTesting
import Foundation
import Glibc
import Synchronization
import Testing

/// The real `dayly serve`, with a database, a bucket and an SMS gateway of its own. It keeps its port over restarts.
final class Service: Sendable {
    let folder: URL
    let bucket: Bucket
    let inbox: SMSInbox
    let url: String
    let database: TestDatabase
    private let environment: [String: String]
    private let process = Mutex<ChildProcess?>(nil)

    private init(
        folder: URL, bucket: Bucket, inbox: SMSInbox, url: String, database: TestDatabase,
        environment: [String: String]
    ) {
        self.folder = folder
        self.bucket = bucket
        self.inbox = inbox
        self.url = url
        self.database = database
        self.environment = environment
    }

    /// Starts a service, runs `body`, and removes everything.
    static func run(
        on store: Store = .filesystem, _ settings: [String: String] = [:],
        _ body: @escaping @Sendable (Service) async throws -> Void
    ) async throws {
        try await run(on: store, settings) { service, _ in try await body(service) }
    }

    /// As above, with a proxy between the service and its S3 server; nil on files.
    static func run(
        on store: Store, _ settings: [String: String],
        _ body: @escaping @Sendable (Service, TCPProxy?) async throws -> Void
    ) async throws {
        let temporary = try TemporaryFolder()
        defer { withExtendedLifetime(temporary) {} }
        let folder = temporary.url
        let database = try await TestDatabase.make()
        let bucket: Bucket
        do {
            bucket = try await Bucket.make(store, folder: folder)
        } catch {
            await database.drop()
            throw error
        }
        let result: Result<Void, any Error>
        do {
            try await SMSInbox.run { inbox, smsURL in
                var all = [
                    "environment": "development", "data_dir": folder.appendingPathComponent("data").path,
                    "http.admin_port": "0", "database.url": database.url, "sms.kind": "http",
                    "sms.http.url": smsURL, "sms.http.token": SMSInbox.token, "log.level": "debug",
                    "limits.enforce_rates": "false",
                    // Tests that hold back PUTs count them.
                    "restore.beat_interval": "10m",
                ]
                all.merge(bucket.settings) { $1 }
                all.merge(settings) { $1 }
                guard let port = bucket.port else {
                    return try await withService(folder, bucket, inbox, database, all) {
                        try await body($0, nil)
                    }
                }
                let proxy = try TCPProxy(to: port)
                all["storage.s3.endpoint"] = "http://127.0.0.1:\(proxy.port)"
                try await withService(folder, bucket, inbox, database, all) {
                    try await body($0, proxy)
                }
            }
            result = .success(())
        } catch {
            result = .failure(error)
        }
        await bucket.close()
        await database.drop()
        try result.get()
    }

    private static func withService(
        _ folder: URL, _ bucket: Bucket, _ inbox: SMSInbox, _ database: TestDatabase,
        _ settings: [String: String], _ body: (Service) async throws -> Void
    ) async throws {
        let port = try freePort()
        let service = Service(
            folder: folder, bucket: bucket, inbox: inbox, url: "http://127.0.0.1:\(port)", database: database,
            environment: Programs.environment(settings.merging(["http.port": String(port)]) { $1 }))
        do {
            try await service.start()
            try await body(service)
        } catch {
            print("The log of the service ends with:\n\(service.log.suffix(4_000))")
            try? await service.kill9()
            throw error
        }
        try await service.kill9()
        // Guard: no test of the real programs leaves a secret in the logs (`RequestLogMiddleware`,
        // `SMSQueue.log`)
        let indiscretions = LogSearch(log: service.log, messages: inbox.messages).findings
        #expect(indiscretions.isEmpty)
    }

    /// Starts the process and waits until it is ready, or until `path` answers 200.
    func start(until path: String = "/readyz") async throws {
        let child = try ChildProcess(
            Programs.find("dayly"), ["serve"], environment: environment, output: logFile)
        process.withLock { $0 = child }
        try await eventually("200 for \(path)") {
            if let status = child.exitStatus {
                throw TimedOut(description: "serve ended with exit status \(status)")
            }
            let reply = try? await Web.send("GET", url + path, timeout: .seconds(3))
            return reply?.status == 200
        }
    }

    /// kill -9.
    func kill9() async throws {
        try await process.withLock { $0 }?.kill9()
    }

    func restart() async throws {
        try await kill9()
        try await start()
    }

    /// SIGTERM; nothing is waited for.
    func terminate() {
        process.withLock { $0 }?.signal(SIGTERM)
    }

    /// The process of `serve`.
    var processID: Int32? { process.withLock { $0?.id } }

    var isRunning: Bool {
        process.withLock { $0 }.map { $0.exitStatus == nil } ?? false
    }

    /// The exit status of `serve`.
    func waitForExit(within limit: Duration) async throws -> Int32? {
        try await process.withLock { $0 }?.waitForExit(within: limit)
    }

    /// Runs `dayly ARGUMENTS` beside the service, with the same settings.
    func dayly(_ arguments: String...) async throws -> CommandResult {
        try await dayly(arguments)
    }

    func dayly(_ arguments: [String]) async throws -> CommandResult {
        let output = folder.appendingPathComponent("command-\(UUID().uuidString.prefix(8)).log")
        let child = try ChildProcess(
            Programs.find("dayly"), arguments, environment: environment, output: output)
        let status = try await child.waitForExit(within: .seconds(60))
        return CommandResult(status: status, output: try String(contentsOf: output, encoding: .utf8))
    }

    /// Starts `dayly ARGUMENTS` beside the service, with the same settings but `changes`, and lets it run.
    func launch(_ arguments: [String], _ changes: [String: String] = [:], output: String) throws
        -> ChildProcess
    {
        try ChildProcess(
            Programs.find("dayly"), arguments,
            environment: environment.merging(Programs.variables(changes)) { $1 },
            output: folder.appendingPathComponent(output))
    }

    /// A file under `data_dir`.
    func dataFile(_ name: String) -> URL {
        folder.appendingPathComponent("data").appendingPathComponent(name)
    }

    private var logFile: URL { folder.appendingPathComponent("serve.log") }

    /// All that `serve` has written.
    var log: String { (try? String(contentsOf: logFile, encoding: .utf8)) ?? "" }
}
