import DaylyTesting
import Foundation
import Logging
import ObjectStorage
import Postgres
import ProgramTesting
import Synchronization

/// A database, a bucket and an SMS gateway of its own, and the programs that run on them.
package final class World: Sendable {
    package typealias Store = S3Server

    package let folder: URL
    package let history = History()
    let inbox = Inbox()
    let journal = Journal()
    let database: TestDatabase
    let bucket: S3ObjectStore
    /// Nil where nobody has devices.
    let providers: Providers?
    /// Where the server is the world's own.
    let server: DurableServer?
    private let pooler: TestPooler?
    private let settings: [String: String]
    private let store: S3Access
    private let made = Mutex<[Instance]>([])

    private init(
        folder: URL, database: TestDatabase, server: DurableServer?, pooler: TestPooler?, store: S3Access,
        providers: Providers?, settings: [String: String]
    ) throws {
        self.folder = folder
        self.server = server
        self.pooler = pooler
        self.providers = providers
        self.database = database
        self.store = store
        bucket = try S3ObjectStore(configuration: store.configuration, logger: Logger(label: "faults"))
        self.settings = [
            // The same for all instances: it is whom tokens are from.
            "http.public_url": "http://dayly.example", "environment": "development",
            "data_dir": folder.appendingPathComponent("data").path,
            "http.admin_port": "0", "sms.kind": "http", "sms.http.token": Inbox.token, "log.level": "info",
            // The web client's files are read and packed at each start, and there are hundreds of starts.
            "web.enabled": "false",
            "limits.enforce_rates": "false", "auth.otp.resend_after": "0s",
        ].merging(store.settings) { $1 }.merging(try providers?.settings(in: folder) ?? [:]) { $1 }
            .merging(settings) { $1 }
    }

    /// Makes one, runs `body`, and removes everything.
    ///
    /// - Parameters:
    ///   - pushes: whether people can have devices.
    ///   - route: how the programs reach the database.
    package static func run<Value: Sendable>(
        on store: Store = .rclone, pushes: Bool = false, by route: DatabaseRoute = .shared,
        _ settings: [String: String] = [:],
        _ body: @Sendable @escaping (World) async throws -> Value
    ) async throws -> Value {
        let route = route == .shared && Conditions.current.isPooled ? .pooled : route
        guard pushes else { return try await run(on: store, route, settings, providers: nil, body) }
        return try await Providers.run { try await run(on: store, route, settings, providers: $0, body) }
    }

    private static func run<Value: Sendable>(
        on store: Store, _ route: DatabaseRoute, _ settings: [String: String], providers: Providers?,
        _ body: (World) async throws -> Value
    ) async throws -> Value {
        let temporary = try TemporaryFolder()
        defer { withExtendedLifetime(temporary) {} }
        let folder = temporary.url
        let access = try S3Access(store)
        let server =
            route.isDurable
            ? try await DurableServer(
                in: folder.appendingPathComponent("pg"), hasClock: route == .durableWithClock) : nil
        let result: Result<Value, any Error>
        var database: TestDatabase?
        var pooler: TestPooler?
        do {
            let made = try await server.make()
            database = made
            if route == .pooled { pooler = try await TestPooler(before: made.url) }
            let world = try World(
                folder: folder, database: made, server: server, pooler: pooler, store: access,
                providers: providers, settings: settings)
            do {
                try await world.bucket.makeBucket()
                try await world.keepJournal()
                for statement in Removals.current.statements {
                    try await made.client.execute(SQL(unchecked: statement))
                }
                result = .success(try await body(world))
            } catch {
                result = .failure(error)
            }
            await world.end()
        } catch {
            result = .failure(error)
        }
        await pooler?.stop()
        await database?.drop()
        await server?.stop()
        return try result.get()
    }

    /// Uses a database and a bucket that another program made and keeps. Such a world has no instances.
    static func visit<Value: Sendable>(
        database url: String, bucket: S3Configuration, _ body: (World) async throws -> Value
    ) async throws -> Value {
        let temporary = try TemporaryFolder()
        defer { withExtendedLifetime(temporary) {} }
        let database = TestDatabase.visited(on: url)
        let world = try World(
            folder: temporary.url, database: database, server: nil, pooler: nil,
            store: S3Access(configuration: bucket, port: 0), providers: nil, settings: [:])
        let result: Result<Value, any Error>
        do { result = .success(try await body(world)) } catch { result = .failure(error) }
        await world.end()
        await database.drop()
        return try result.get()
    }

    private func end() async {
        for instance in instances {
            try? await instance.kill9()
        }
        await bucket.shutdown()
    }

    package var instances: [Instance] { made.withLock { $0 } }

    /// An instance that is not started yet, with proxies of its own.
    package func instance(_ more: [String: String] = [:]) throws -> Instance {
        let number = made.withLock { $0.count }
        let instance = try Instance(
            folder: folder, number: number, settings: settings.merging(more) { $1 },
            targets: .init(
                database: pooler?.url ?? database.url, direct: pooler == nil ? nil : database.url,
                store: store.port, pushes: providers?.port),
            inbox: inbox, journal: journal)
        made.withLock { $0.append(instance) }
        instance.board.watch { [self] passing in
            guard passing.link == .store, passing.what.hasPrefix("PUT ") else { return }
            notePut(passing.what)
        }
        return instance
    }

    /// Looks, at the moment when an object is being put, whether the ledger has it already.
    private func notePut(_ what: String) {
        let key = String(what.drop { $0 != " " }.dropFirst(2).drop { $0 != "/" }.dropFirst())
        guard key.hasPrefix("photos/") else { return }
        let done = DispatchSemaphore(value: 0)
        Task {
            if let isKnown = try? await self.ledgerHas(key), !isKnown {
                self.history.note(.putWithoutRow(key))
            }
            done.signal()
        }
        done.wait()
    }

    /// All that the programs have written.
    package var logs: String {
        instances.map(\.log).joined(separator: "\n")
    }
}

extension DurableServer? {
    /// A database on it, or else on the server that all worlds share.
    fileprivate func make() async throws -> TestDatabase {
        guard let self else { return try await TestDatabase.make() }
        return try await TestDatabase.make(on: self.url)
    }
}

/// Where an S3 server is, and a bucket's name on it.
private struct S3Access {
    let configuration: S3Configuration
    let port: UInt16

    init(configuration: S3Configuration, port: UInt16) {
        self.configuration = configuration
        self.port = port
    }

    init(_ store: World.Store) throws {
        port = UInt16(try store.port())
        configuration = try store.configuration(
            bucket: "faults-\(UUID().uuidString.lowercased().prefix(18))")
    }

    var settings: [String: String] {
        [
            "storage.kind": "s3", "storage.s3.public_endpoint": "http://127.0.0.1:\(port)",
            "storage.s3.bucket": configuration.bucket, "storage.s3.access_key_id": configuration.accessKeyID,
            "storage.s3.secret_access_key": configuration.secretAccessKey,
        ]
    }
}
