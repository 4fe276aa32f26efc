import DaylyTesting
import Foundation
import ProgramTesting
import Testing

/// The real `dayly serve`, with a database, a bucket and an SMS gateway of its own.
struct Service: ServesDayly {
    let program: ServedDayly
    let bucket: Bucket
    let inbox: SMSInbox
    let database: TestDatabase

    var folder: URL { program.folder }

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
        let service = Service(
            program: try ServedDayly(in: folder, settings: settings), bucket: bucket, inbox: inbox,
            database: database)
        try await service.serving { try await body(service) }
        // Guard: no test of the real programs leaves a secret in the logs (`RequestLogMiddleware`,
        // `SMSQueue.log`)
        let indiscretions = LogSearch(log: service.log, messages: inbox.messages).findings
        #expect(indiscretions.isEmpty)
    }

    /// A file under `data_dir`.
    func dataFile(_ name: String) -> URL {
        folder.appendingPathComponent("data").appendingPathComponent(name)
    }
}
