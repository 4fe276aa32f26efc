import AsyncHTTPClient
import DaylyTesting
import Foundation
import NIOCore
import NIOPosix
import Postgres
import Testing

@testable import DaylyServer

/// A running `dayly serve`.
final class RunningServer: Sendable {
    let port: Int
    private let process: Process
    private let log: String
    private let exit: AsyncStream<Int32>

    init(environment: [String: String], folder: TemporaryFolder) async throws {
        port = try freePort()
        log = try folder.write("serve.log", "")
        let process = Process()
        process.executableURL = TestProducts.folder.appendingPathComponent("dayly")
        process.arguments = ["serve"]
        process.environment = environment.merging(["DAYLY_HTTP_PORT": "\(port)"]) { _, new in new }
        process.standardError = try FileHandle(forWritingTo: URL(fileURLWithPath: log))
        process.standardOutput = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        let (exit, ended) = AsyncStream.makeStream(of: Int32.self)
        process.terminationHandler = {
            ended.yield($0.terminationStatus)
            ended.finish()
        }
        try process.run()
        self.process = process
        self.exit = exit
        try await waitUntilServing()
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }

    func url(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }

    func get(_ path: String, port: Int? = nil) async throws -> (status: Int, body: String) {
        let url = port.map { "http://127.0.0.1:\($0)\(path)" } ?? url(path)
        let response = try await HTTPClient.shared.execute(
            HTTPClientRequest(url: url), timeout: .seconds(5))
        return (Int(response.status.code), String(buffer: try await response.body.collect(upTo: 1 << 20)))
    }

    func metrics(port: Int) async throws -> String {
        let response = try await HTTPClient.shared.execute(
            HTTPClientRequest(url: "http://127.0.0.1:\(port)/metrics"), timeout: .seconds(5))
        return String(buffer: try await response.body.collect(upTo: 1 << 20))
    }

    func terminate() {
        process.terminate()
    }

    /// The exit status. A process that does not end by itself is killed.
    func exitStatus() async -> Int32? {
        let id = process.processIdentifier
        let deadline = Task {
            try await Task.sleep(for: .seconds(60))
            kill(id, SIGKILL)
        }
        defer { deadline.cancel() }
        for await status in exit { return status }
        return nil
    }

    var logged: String { (try? String(contentsOfFile: log, encoding: .utf8)) ?? "" }

    private func waitUntilServing() async throws {
        try await eventually("an answer of serve", every: .milliseconds(50)) {
            try #require(process.isRunning, "serve has ended: \(logged)")
            return (try? await get("/healthz"))?.status == 200
        }
    }
}

@Suite("serve on a real database")
struct ServeTests {
    private func withServer<Value>(
        _ more: [String: String] = [:], _ body: (RunningServer) async throws -> Value
    ) async throws -> Value {
        let folder = try TemporaryFolder()
        return try await withTestDatabase { database in
            let server = try await RunningServer(
                environment: Fixture.development(
                    in: folder, database: database.url,
                    ["DAYLY_HTTP_ADMIN_PORT": "0"].merging(more) { _, new in new }),
                folder: folder)
            let value = try await body(server)
            server.terminate()
            _ = await server.exitStatus()
            return value
        }
    }

    /// Guard: health is answered on the admin port (`AdminServer`)
    @Test("serve becomes ready, shows metrics on the admin port only, and ends with 0 on SIGTERM")
    func lifecycle() async throws {
        let admin = try freePort()
        try await withServer(["DAYLY_HTTP_ADMIN_PORT": "\(admin)", "DAYLY_LOG_FORMAT": "json"]) { server in
            let ready = try await server.get("/readyz")
            #expect(ready.status == 200)
            #expect(try await server.get("/metrics").status == 404)
            _ = try await server.get("/i/ABC234")
            let metrics = try await server.metrics(port: admin)
            #expect(metrics.contains("route=\"/i/{code}\""))
            #expect(!metrics.contains("ABC234"))
            for (path, status) in [("/healthz", "ok"), ("/readyz", "ready")] {
                let health = try await server.get(path, port: admin)
                #expect(health.status == 200 && health.body == "{\"status\":\"\(status)\"}")
            }
            server.terminate()
            #expect(await server.exitStatus() == 0)
            #expect(!server.logged.contains("ABC234"))
            #expect(!server.logged.contains("\"level\":\"error\""))
            let request = server.logged.split(separator: "\n").first { $0.contains("\"/i/{code}\"") }
            #expect(request?.contains("\"request_id\":\"") == true)
        }
    }

    /// Guard: the public server ends first, the database last (`ServeAction.run`)
    @Test("a request in flight gets its answer after SIGTERM")
    func drains() async throws {
        try await withServer { server in
            // The answer needs the database and the SMS queue, so both must still be open.
            let body = #"{"phone_number":"+4915112345678"}"#
            let head =
                "POST /v1/auth/request-verification HTTP/1.1\r\nHost: t\r\nContent-Type: application/json\r\n"
                + "Content-Length: \(body.utf8.count)\r\n\r\n"
            let connection = try await Connection.open(port: server.port)
            try await connection.send(head + body.prefix(5))
            try await Task.sleep(for: .milliseconds(300))
            server.terminate()
            try await Task.sleep(for: .milliseconds(500))
            try await connection.send(String(body.dropFirst(5)))
            let answer = try await connection.readToEnd()
            #expect(answer.hasPrefix("HTTP/1.1 202 "))
            #expect(await server.exitStatus() == 0)
            #expect(server.logged.contains("SMS to"))
        }
    }

    /// Guard: shutdown waits for requests on their way (HTTPGuard `ConnectionState.quiesce`)
    @Test("a request whose bytes arrive during SIGTERM gets its answer too")
    func lateRequest() async throws {
        try await withServer { server in
            let request = "GET /i/ABC234 HTTP/1.1\r\nHost: t\r\n\r\n"
            let idle = try await Connection.open(port: server.port)
            try await idle.send(request)
            let started = try await Connection.open(port: server.port)
            try await started.send(String(request.prefix(9)))
            try await Task.sleep(for: .milliseconds(300))
            server.terminate()
            try await Task.sleep(for: .milliseconds(200))
            try await idle.send(request)
            try await started.send(String(request.dropFirst(9)))
            let answers = try await idle.readToEnd()
            #expect(answers.components(separatedBy: "HTTP/1.1 200 ").count == 3)
            #expect(answers.lowercased().components(separatedBy: "connection: close").count == 2)
            #expect(try await started.readToEnd().hasPrefix("HTTP/1.1 200 "))
            #expect(await server.exitStatus() == 0)
        }
    }

    /// Guard: `/readyz` fails from SIGTERM on, at once (`Readiness.beginDraining`)
    /// Guard: a second signal ends the delay (`DrainDelay`)
    @Test("after SIGTERM serve is not ready and serves on, until the delay or a second SIGTERM ends")
    func drainDelay() async throws {
        let admin = try freePort()
        let settings = ["DAYLY_HTTP_DRAIN_DELAY": "30s", "DAYLY_HTTP_ADMIN_PORT": "\(admin)"]
        try await withServer(settings) { server in
            server.terminate()
            for port in [server.port, admin] {
                let answer = try await eventually("503 from /readyz") {
                    let answer = try await server.get("/readyz", port: port)
                    return answer.status == 503 ? answer : nil
                }
                #expect(answer.body.contains("Not ready: shutdown."))
                #expect(try await server.get("/healthz", port: port).status == 200)
            }
            let connection = try await Connection.open(port: server.port)
            try await connection.send("GET /i/ABC234 HTTP/1.1\r\nHost: t\r\nConnection: close\r\n\r\n")
            #expect(try await connection.readToEnd().hasPrefix("HTTP/1.1 200 "))
            let second = ContinuousClock.now
            server.terminate()
            #expect(await server.exitStatus() == 0)
            #expect(ContinuousClock.now - second < .seconds(15))
        }
    }

    /// Guard: without a decoder serve does not start and is not ready (`ServeAction.requireWorker`,
    /// `DecoderHealth`)
    @Test("without a photo worker serve does not start, and it is not ready once the program is gone")
    func worker() async throws {
        let folder = try TemporaryFolder()
        let worker = folder.path + "/photo-worker"
        let program = TestProducts.path("photo-worker")
        try FileManager.default.createSymbolicLink(atPath: worker, withDestinationPath: program)
        try await withServer(["DAYLY_PHOTOS_WORKER_PATH": worker]) { server in
            #expect(try await server.get("/readyz").status == 200)
            try FileManager.default.removeItem(atPath: worker)
            // An answer of `/readyz` holds for a second.
            let answer = try await eventually(every: .milliseconds(100)) {
                let answer = try await server.get("/readyz")
                return answer.status == 200 ? nil : answer
            }
            #expect(answer.status == 503 && answer.body.contains("photo-worker"))
        }
        let refused = try await withTestDatabase { database in
            try await Command(
                arguments: ["serve"],
                environment: Fixture.development(
                    in: folder, database: database.url,
                    [
                        "DAYLY_PHOTOS_WORKER_PATH": worker, "DAYLY_HTTP_ADMIN_PORT": "0",
                        "DAYLY_HTTP_PORT": "\(try freePort())",
                    ])
            ).run()
        }
        #expect(refused.status == 1)
        #expect(refused.errors.contains("Pictures cannot be decoded"))
        #expect(refused.errors.contains("DAYLY_PHOTOS_WORKER_PATH"))
    }

    /// Guard: a taken port is refused before anything runs (`Listener.requirePort`)
    @Test("a port in use ends serve with 1 and names the setting")
    func portTaken() async throws {
        try await withServer { server in
            let folder = try TemporaryFolder()
            let second = try await Command(
                arguments: ["serve"],
                environment: Fixture.development(
                    in: folder, ["DAYLY_HTTP_PORT": "\(server.port)", "DAYLY_HTTP_ADMIN_PORT": "0"])
            ).run()
            #expect(second.status == 1)
            #expect(second.errors.contains("DAYLY_HTTP_PORT"))
            #expect(!second.errors.contains("ERROR"))
        }
    }

    /// Guard: the service does not start on another schema (`SchemaGate.requireServable`)
    @Test("an older, a newer incompatible and a changed schema are refused, each with its remedy")
    func schema() async throws {
        try await withTestDatabase { database in
            let folder = try TemporaryFolder()
            let environment = Fixture.development(
                in: folder, database: database.url,
                ["DAYLY_HTTP_PORT": "\(try freePort())", "DAYLY_HTTP_ADMIN_PORT": "0"])
            func refusal(_ arguments: [String] = ["serve"]) async throws -> Command.Outcome {
                try await Command(arguments: arguments, environment: environment).run()
            }
            try await database.client.execute(
                """
                INSERT INTO schema_migrations (version, name, checksum, breaking)
                VALUES (9000, '9000_from_the_future', 'x', true)
                """)
            let newer = try await refusal()
            #expect(newer.status == 1)
            #expect(newer.errors.contains("9000_from_the_future"))
            #expect(newer.errors.contains("newer dayly"))
            try await database.client.execute("DELETE FROM schema_migrations WHERE version = 9000")
            try await database.client.execute(
                "UPDATE schema_migrations SET checksum = 'x' WHERE version = 1")
            let changed = try await refusal()
            #expect(changed.errors.contains("changed") && changed.errors.contains("begin anew"), "\(changed)")
            try await database.client.execute("DELETE FROM schema_migrations WHERE version > 1")
            try await database.client.execute("DELETE FROM schema_migrations")
            let older = try await refusal()
            #expect(older.status == 1)
            #expect(older.errors.contains("dayly migrate"))
            #expect(try await refusal(["sweep"]).errors.contains("dayly migrate"))
            #expect(try await refusal(["migrate", "--status"]).status == 1)
        }
    }

    /// Guard: systemd is told of a service that takes connections, and of no other (`ReadyNotice`)
    @Test("systemd is told when the service takes connections, and is told nothing of a start that fails")
    func notice() async throws {
        let folder = try TemporaryFolder()
        let notices = try NoticeSocket(folder.path + "/notify")
        let notified = ["NOTIFY_SOCKET": folder.path + "/notify"]
        let failed = try await Command(
            arguments: ["serve"], environment: Fixture.development(in: folder, notified)
        ).run()
        #expect(failed.status == 1)
        #expect(notices.next() == nil)
        try await withServer(notified) { _ in
            _ = try await eventually("the notice") { notices.next() == "READY=1" ? true : nil }
        }
    }

    /// Guard: a breaking migration waits for the end of every process (`MigrateAction.migrate`,
    /// `RunningProcessStore`)
    /// Guard: a process that a breaking migration overtakes ends (`SchemaWatch`)
    @Test(
        "a process that a breaking migration overtakes ends, and one is not applied while a process works on the database"
    )
    func breaking() async throws {
        let folder = try TemporaryFolder()
        let migrations = folder.path + "/migrations"
        try FileManager.default.copyItem(atPath: DatabaseServer.migrationsDirectory.path, toPath: migrations)
        _ = try folder.write(
            "migrations/9000_tomorrow.sql", "-- dayly: breaking\nCREATE TABLE tomorrow (id int);\n")
        try await withTestDatabase { database in
            let environment = Fixture.development(
                in: folder, database: database.url, ["DAYLY_HTTP_ADMIN_PORT": "0"])
            let newer = environment.merging(["DAYLY_DATABASE_MIGRATIONS_PATH": migrations]) { $1 }
            let server = try await RunningServer(environment: environment, folder: folder)
            func migrate(_ options: String...) async throws -> Command.Outcome {
                try await Command(arguments: ["migrate"] + options, environment: newer).run()
            }
            let status = try await migrate("--status")
            #expect(status.status == 1 && status.output.contains("no older version can run"), "\(status)")
            let compatible = try await migrate("--compatible")
            #expect(
                compatible.status == 1 && compatible.errors.contains("no older version can run"),
                "\(compatible)")
            let refused = try await migrate()
            #expect(refused.status == 1 && refused.errors.contains("works on this database"), "\(refused)")
            // As if the operator had not asked: by another tool, or from another version.
            try await database.client.execute(
                """
                INSERT INTO schema_migrations (version, name, checksum, breaking)
                VALUES (9001, '9001_by_another', 'x', true)
                """)
            #expect(await server.exitStatus() == 1)
            #expect(server.logged.contains("9001_by_another"))
            try await database.client.execute("DELETE FROM schema_migrations WHERE version = 9001")
            // PostgreSQL notices the end of the sessions a moment later.
            let applied = try await eventually("no process is in the way") {
                let outcome = try await migrate()
                return outcome.status == 0 ? outcome : nil
            }
            #expect(applied.output.contains("applied 9000_tomorrow"), "\(applied)")
        }
    }

    /// Guard: a start that nobody looks at makes no schema in an empty database (`MigrateAction.migrate`)
    @Test(
        "a start that nobody looks at applies compatible migrations, and makes no schema in an empty database"
    )
    func compatible() async throws {
        try await withTestDatabase { database in
            let folder = try TemporaryFolder()
            let migrations = folder.path + "/migrations"
            try FileManager.default.copyItem(
                atPath: DatabaseServer.migrationsDirectory.path, toPath: migrations)
            _ = try folder.write("migrations/9000_tomorrow.sql", "CREATE TABLE tomorrow (id int);\n")
            let environment = Fixture.development(
                in: folder, database: database.url, ["DAYLY_DATABASE_MIGRATIONS_PATH": migrations])
            let command = Command(arguments: ["migrate", "--compatible"], environment: environment)
            let applied = try await command.run()
            #expect(applied.status == 0 && applied.output.contains("applied 9000_tomorrow"), "\(applied)")
            try await database.client.execute("DELETE FROM schema_migrations")
            let empty = try await command.run()
            #expect(empty.status == 1 && empty.errors.contains("has no schema yet"), "\(empty)")
        }
    }

    /// Guard: a sweep that leaves a paused object, and an audit before it, do not end with 0
    /// (`SweepReport.hasLeftDue`, `AuditCommand`)
    @Test("sweep ends with 1 and a repairing audit with 3 while an object that the store kept waits")
    func waitingObject() async throws {
        try await withTestDatabase { database in
            let folder = try TemporaryFolder()
            let environment = Fixture.development(in: folder, database: database.url)
            func status(_ arguments: String...) async throws -> Int32 {
                try await Command(arguments: arguments, environment: environment).run().status
            }
            #expect(try await status("migrate") == 0)
            try await database.client.execute(
                """
                INSERT INTO stored_objects (key, photo_id, delete_after, claimed_until, failures)
                VALUES ('photos/kept.jpg', gen_random_uuid(), now(), now() + interval '4 minutes', 1)
                """)
            #expect(try await status("sweep", "--once") == 1)
            let orphan = folder.url.appendingPathComponent("objects/objects/photos/orphan.jpg")
            try FileManager.default.createDirectory(
                at: orphan.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data("x".utf8).write(to: orphan)
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -86_400)], ofItemAtPath: orphan.path)
            #expect(try await status("audit", "--delete") == 3)
            try await database.client.execute("DELETE FROM stored_objects")
            #expect(try await status("sweep", "--once") == 0)
        }
    }

    /// Guard: wrong use ends with 2, a finding with 3 (`Terminal.end`, `AuditCommand`)
    @Test("migrate, doctor, sweep and audit end with 0 on a fresh database, and with 3 after a finding")
    func commands() async throws {
        try await withTestDatabase { database in
            let folder = try TemporaryFolder()
            let environment = Fixture.development(in: folder, database: database.url)
            func run(_ arguments: String...) async throws -> Command.Outcome {
                try await Command(arguments: arguments, environment: environment).run()
            }
            #expect(try await run("migrate").status == 0)
            #expect(try await run("migrate", "--status").status == 0)
            let doctor = try await run("doctor")
            #expect(doctor.status == 0, "\(doctor.output)")
            #expect(doctor.output.contains("Everything is in order"))
            #expect(try await run("sweep", "--json").output.contains("\"deleted_objects\":0"))
            #expect(try await run("sweep", "--dry-run").status == 0)
            #expect(try await run("audit").status == 0)
            #expect(try await run("otp", "explain", "+14155550177").status == 0)
            let premium = try await run("otp", "explain", "+19005550177", "--json")
            #expect(premium.status == 3)
            #expect(premium.output.contains("\"would_send\":false"))
            #expect(!premium.output.contains("9005550177"))

            let orphan = folder.url.appendingPathComponent("objects/objects/photos/x/orphan.jpg")
            try FileManager.default.createDirectory(
                at: orphan.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data("x".utf8).write(to: orphan)
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -86_400)], ofItemAtPath: orphan.path)
            let audit = try await run("audit", "--json")
            #expect(audit.status == 3)
            #expect(audit.output.contains("orphan_object"))
            #expect(FileManager.default.fileExists(atPath: orphan.path))
            #expect(try await run("audit", "--delete").status == 0)
            #expect(!FileManager.default.fileExists(atPath: orphan.path))
            #expect(try await run("audit").status == 0)

            let blind = try await Command(
                arguments: ["doctor"],
                environment: environment.merging([
                    "DAYLY_PHOTOS_WORKER_PATH": "/none",
                    "DAYLY_AUTH_REVIEWERS": "+14155550199=123456@2020-01-31",
                ]) { _, new in new }
            ).run()
            #expect(blind.status == 3)
            #expect(blind.output.contains("DAYLY_PHOTOS_WORKER_PATH"))
            #expect(blind.output.contains("ended with 2020-01-31"))
            #expect(!blind.output.contains("123456"))
        }
    }
}

/// A plain socket, for requests that no HTTP client would send.
struct Connection {
    let channel: NIOAsyncChannel<ByteBuffer, ByteBuffer>

    static func open(port: Int) async throws -> Connection {
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        return Connection(channel: channel)
    }

    func send(_ text: String) async throws {
        try await channel.channel.writeAndFlush(ByteBuffer(string: text))
    }

    /// Everything received until the other end closes.
    func readToEnd() async throws -> String {
        try await channel.executeThenClose { inbound, _ in
            var all = ByteBuffer()
            for try await part in inbound { all.writeImmutableBuffer(part) }
            return String(buffer: all)
        }
    }
}
