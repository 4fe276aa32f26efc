import DaylyTesting
import Foundation
import PhotoWorkers
import Postgres
import Synchronization
import Testing

@testable import DaylyServer

@Suite("Checks of doctor and serve")
struct DoctorPartTests {
    /// Guard: doctor names each right that the database's role lacks (`RightsStore.gaps`)
    @Test("each right that the role lacks is reported with the statement that grants it")
    func rights() async throws {
        let database = try await TestDatabase.make()
        let role = "poor_\(UUID().uuidString.prefix(8).lowercased())"
        try await database.client.execute("CREATE ROLE \(identifier: role)")
        do {
            func findings() async throws -> [Finding] {
                let separator = database.url.contains("?") ? "&" : "?"
                let folder = try TemporaryFolder()
                let configuration = try ServerConfiguration.load(
                    environment: Fixture.development(
                        in: folder, database: database.url + separator + "options=-crole%3D" + role),
                    file: nil)
                return await RightsChecks(configuration: configuration, logger: .silent).findings()
            }
            let none = try await findings()
            #expect(none.contains { $0.message.contains("SELECT, INSERT, UPDATE, DELETE on table photos") })
            try await database.client.execute(
                "GRANT SELECT, INSERT, UPDATE, DELETE, TRUNCATE ON ALL TABLES IN SCHEMA public TO \(identifier: role)"
            )
            try await database.client.execute(
                "GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO \(identifier: role)")
            try await database.client.execute("REVOKE INSERT ON photos FROM \(identifier: role)")
            let one = try await findings()
            #expect(
                one.filter { $0.verdict == .problem }.map(\.message) == [
                    "\(role) has no right to INSERT on table photos"
                ])
            #expect(
                one.contains { $0.remedy?.contains("GRANT INSERT ON TABLE public.photos TO \(role)") == true }
            )
            #expect(one.contains { $0.verdict == .warning && $0.message.contains("does not own") })
            try await database.client.execute("REVOKE USAGE ON SCHEMA public FROM PUBLIC")
            #expect(try await findings().contains { $0.message.contains("may not use any schema") })
        } catch {
            _ = try? await database.client.execute("DROP OWNED BY \(identifier: role)")
            await database.drop()
            throw error
        }
        try await database.client.execute("DROP OWNED BY \(identifier: role)")
        try await database.client.execute("DROP ROLE \(identifier: role)")
        await database.drop()
    }

    /// Guard: production without a link to the app is a problem (`LinkChecks`)
    @Test("in production a missing link to the app is a problem, and missing associations are a warning")
    func links() async throws {
        let folder = try TemporaryFolder()
        func verdicts(
            _ more: [String: String], hasWebClient: Bool = false
        ) async throws -> [Finding.Verdict] {
            let configuration = try ServerConfiguration.load(
                environment: try Fixture.production(in: folder, more), file: nil)
            return LinkChecks(
                environment: configuration.environment, links: configuration.links, hasWebClient: hasWebClient
            ).findings().map(\.verdict)
        }
        let apps = [
            "DAYLY_LINKS_IOS_APP_IDS": "ABCDE12345.com.example.dayly",
            "DAYLY_LINKS_ANDROID_PACKAGE": "com.example.dayly",
            "DAYLY_LINKS_ANDROID_FINGERPRINTS": Array(repeating: "A5", count: 32).joined(separator: ":"),
        ]
        #expect(try await verdicts([:]) == [.problem, .warning, .warning])
        #expect(try await verdicts([:], hasWebClient: true) == [.ok], "there are no apps to link")
        #expect(try await verdicts(apps) == [.problem])
        #expect(try await verdicts(apps, hasWebClient: true) == [.ok])
        let one = apps.merging(["DAYLY_LINKS_APP_STORE": "https://apps.example/1"]) { $1 }
        #expect(try await verdicts(one) == [.warning])
        let all = apps.merging(["DAYLY_LINKS_DOWNLOAD": "https://dayly.example/get"]) { $1 }
        #expect(try await verdicts(all) == [.ok])
    }

    @Test("a web client that cannot be served, or not at the root of its host, is reported")
    func webClient() async throws {
        let folder = try TemporaryFolder()
        func texts(_ more: [String: String]) async throws -> [String] {
            let configuration = try ServerConfiguration.load(
                environment: Fixture.development(in: folder, more), file: nil)
            return WebChecks(configuration: configuration).findings().map(\.text)
        }
        let path = try WebFixture.write(in: folder)
        let web = ["DAYLY_WEB_ENABLED": "true", "DAYLY_WEB_PATH": path]
        let good = try await texts(web)
        #expect(
            good.count == 1 && good[0].hasPrefix("ok") && good[0].contains("9 files in \(path)"), "\(good)")
        let below = try await texts(web.merging(["DAYLY_HTTP_PUBLIC_URL": "http://dayly.example/app"]) { $1 })
        #expect(below.contains { $0.hasPrefix("warning") && $0.contains("has the path /app") })
        #expect(try await texts([:]).first?.contains("not in use") == true)
    }

    /// Guard: an unencrypted line to the database causes a warning (`DatabaseLine`)
    @Test(
        "serve warns in production that the connection to the database may not be encrypted",
        arguments: [
            ("postgresql://u:p@db.example/dayly", nil, true),
            ("postgresql://u:p@db.example/dayly?sslmode=prefer", nil, true),
            ("postgresql://u:p@db.example/dayly?sslmode=disable", nil, true),
            ("postgresql://u:p@db.example/dayly?sslmode=require", nil, false),
            ("postgresql://u:p@db.example/dayly?sslmode=require&sslmode=prefer", nil, true),
            ("postgresql://u:p@db.example/dayly", "verify-full", false),
            ("postgresql://u:p@db.example/dayly?sslmode=allow", "verify-full", true),
            ("postgresql://u:p@127.0.0.1:5432/dayly", nil, false),
            ("postgresql://u:p@[::1]:5432/dayly", nil, false), ("postgresql:///dayly", nil, false),
            ("postgresql:///dayly?host=/run/postgresql", nil, false),
            ("postgresql:///dayly?host=db.example", nil, true),
            ("postgresql://u@localhost,db.example/dayly", nil, true),
        ] as [(String, String?, Bool)])
    func line(_ url: String, _ mode: String?, _ isWarned: Bool) async throws {
        let folder = try TemporaryFolder()
        let variables = mode.map { ["PGSSLMODE": $0] } ?? [:]
        let production = try ServerConfiguration.load(
            environment: try Fixture.production(in: folder, ["DAYLY_DATABASE_URL": url]), file: nil)
        #expect((DatabaseLine.warning(production, variables: variables) != nil) == isWarned)
        let development = try ServerConfiguration.load(
            environment: Fixture.development(in: folder, database: url), file: nil)
        #expect(DatabaseLine.warning(development, variables: variables) == nil)
    }

    /// Guard: a busy decoder leaves the service ready; a missing program makes it unready at once
    /// (`DecoderHealth`)
    @Test(
        "readiness follows the decoder: a busy one is ready, a failing or missing one is not"
    )
    func decoder() async throws {
        let folder = try TemporaryFolder()
        let program = try folder.write("photo-worker", "")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
        let result = Mutex<PhotoWorkerError?>(nil)
        let tries = Atomic(0)
        let health = DecoderHealth(path: program, interval: .zero) { () throws(PhotoWorkerError) in
            tries.add(1, ordering: .relaxed)
            if let error = result.withLock({ $0 }) { throw error }
        }
        try await health.requireWorking()
        result.withLock { $0 = .overloaded }
        let first = tries.load(ordering: .relaxed)
        await #expect(throws: Never.self) {
            // The result of a check shows in the first call after the check has ended.
            while tries.load(ordering: .relaxed) < first + 3 { try await health.requireWorking() }
        }
        result.withLock { $0 = .unavailable("it does not start") }
        await #expect(throws: PhotoWorkerError.self) {
            for _ in 0..<100_000 { try await health.requireWorking() }
        }
        result.withLock { $0 = nil }
        try await eventually("the decoder works again") { (try? await health.requireWorking()) != nil }
        try FileManager.default.removeItem(atPath: program)
        await #expect(throws: PhotoWorkerError.self) { try await health.requireWorking() }
    }
}
