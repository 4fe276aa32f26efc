import DaylyTesting
import Foundation
import Postgres
import Testing

@testable import DaylyServer

@Suite("Replication and backups, as doctor sees them")
struct FailoverDoctorTests {
    private static let sound = Replication(
        synchronousNames: "ANY 1 (*)", commit: "on", isVisible: true, streaming: 2, synchronous: 1)

    private func verdicts(_ change: (inout Replication) -> Void = { _ in }) -> [Finding.Verdict] {
        var replication = Self.sound
        change(&replication)
        return ReplicationChecks.findings(replication).map(\.verdict)
    }

    /// Guard: with several hosts doctor asks for synchronous replication and for the primary
    /// (`ReplicationChecks`)
    @Test("replication must be synchronous, with a standby that commits wait for")
    func replication() {
        #expect(verdicts() == [.ok])
        #expect(verdicts { $0.synchronousNames = "" } == [.problem])
        #expect(verdicts { $0.commit = "local" } == [.problem])
        #expect(verdicts { $0.synchronous = 0 } == [.problem])
        #expect(verdicts { $0.isVisible = false } == [.warning])
    }

    /// Guard: with several hosts doctor asks for synchronous replication and for the primary
    /// (`ReplicationChecks`)
    @Test(
        "with several hosts doctor asks for synchronous replication and for the primary, with one it does not"
    )
    func hosts() async throws {
        let server = try await DatabaseServer.shared.value.url
        let port = try #require(URLComponents(string: server)?.port)
        let both = server.replacing("127.0.0.1:\(port)", with: "127.0.0.1:\(port),127.0.0.1:1")
        let folder = try TemporaryFolder()
        func findings(_ url: String) async throws -> [Finding] {
            let environment = try Fixture.production(in: folder, ["DAYLY_DATABASE_URL": url])
            let configuration = try ServerConfiguration.load(environment: environment, file: nil)
            return await DatabaseChecks(configuration: configuration, logger: .silent).run().findings
                .filter { $0.check == "replication" }
        }
        #expect(try await findings(server).isEmpty)
        #expect(try await findings(both).map(\.verdict) == [.problem])
        let wrong = try await findings(both + "?target_session_attrs=any")
        #expect(wrong.map(\.verdict) == [.problem, .problem])
        #expect(wrong.first?.message.contains("2 hosts with target_session_attrs=any") == true)
    }

    /// Guard: the age of backups is compared with the settings (`BackupChecks`)
    @Test(
        "a backup must be recent, and none older than the journal of erasures; a new service has time to make one"
    )
    func backups() async throws {
        try await withTestDatabase { database in
            let store = BackupStore(client: database.client)
            func verdicts(_ hours: Double = 0) async throws -> [Finding.Verdict] {
                var record = try #require(try await store.read())
                record.now += hours * 3600
                return BackupChecks.findings(record, maxAge: 26 * 3600, journalLifetime: 35 * 86_400)
                    .map(\.verdict)
            }
            try await database.client.execute("UPDATE schema_migrations SET applied_at = now()")
            #expect(try await verdicts() == [.warning])
            #expect(try await verdicts(27) == [.problem])
            try await database.client.execute(
                "INSERT INTO backups VALUES ('pg_dump', now() - interval '20 hours', now() - interval '30 days')"
            )
            #expect(try await verdicts() == [.ok])
            #expect(try await verdicts(7) == [.problem])
            try await database.client.execute(
                "INSERT INTO backups VALUES ('pgbackrest', now(), now() - interval '36 days')")
            #expect(try await verdicts() == [.ok, .problem])
        }
    }
}
