import DaylyTesting
import Foundation
import Postgres
import Testing

@testable import DaylyServer

@Suite("A database that refuses")
struct RefusingDatabaseTests {
    @Test(
        "writes that the database refuses are 503 with Retry-After; reads go on, and so do writes and jobs afterwards",
        arguments: ["54000", "58030", "53100", "53200", "53400", "57014", "25006", "XX001", "42501", "55000"])
    func refusedWrites(_ state: String) async throws {
        try await WholeService.run { service in
            let scene = try await service.scene()
            let body = #"{"name": "Late", "member_phone_numbers": ["+4915112345678"]}"#
            func create() async throws -> HTTPAnswer {
                try await service.call("POST", "/v1/groups", token: scene.owner.token, body: body)
            }
            // The client that refuses is not the one that mends: 25006 closes connections.
            let client = PostgresClient(configuration: service.postgres.configuration, logger: .silent)
            for statement: SQL in [
                SQL(
                    unchecked: """
                        CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
                        $$ BEGIN RAISE EXCEPTION 'refused' USING ERRCODE = '\(state)'; END $$
                        """),
                "CREATE TRIGGER refuse BEFORE INSERT OR UPDATE OR DELETE ON groups EXECUTE FUNCTION refuse()",
                "CREATE TRIGGER refuse BEFORE INSERT OR UPDATE OR DELETE ON stored_objects EXECUTE FUNCTION refuse()",
            ] { try await client.execute(statement) }
            let refused = try await create()
            #expect(refused.status == 503, "\(refused)")
            #expect(refused.headers[.retryAfter] != nil)
            #expect(try await service.call("GET", "/v1/groups", token: scene.owner.token).status == 200)
            for job in service.composition.jobs { try? await job.runOnce() }
            for table in ["groups", "stored_objects"] {
                try await client.execute("DROP TRIGGER refuse ON \(identifier: table)")
            }
            await client.close()
            #expect(try await create().status == 201)
            try await service.runJobs()
        }
    }

    @Test("without transaction ids left the service is not ready, and doctor says what to do")
    func wraparound() async throws {
        let folder = try TemporaryFolder()
        try await withTestDatabase { database in
            try await WholeService.serve([:], on: database) { service in
                #expect(try await service.call("GET", "/readyz").status != 500)
                for statement: SQL in [
                    "CREATE SCHEMA refusing",
                    """
                    CREATE FUNCTION refusing.pg_current_xact_id() RETURNS xid8 LANGUAGE plpgsql AS $$ BEGIN
                    RAISE 'database is not accepting commands to avoid wraparound data loss' USING ERRCODE = '54000'; END $$
                    """,
                    """
                    DO $$ BEGIN
                    EXECUTE format('ALTER DATABASE %I SET search_path = refusing, pg_catalog, public', current_database());
                    PERFORM pg_terminate_backend(pid) FROM pg_stat_activity
                    WHERE datname = current_database() AND pid <> pg_backend_pid();
                    END $$
                    """,
                ] { try await database.client.execute(statement) }
                try await eventually("the service is not ready") {
                    try await service.call("GET", "/readyz").member("detail")?.contains("database") == true
                }
            }
            let configuration = try ServerConfiguration.load(
                environment: Fixture.development(in: folder, database: database.url), file: nil)
            let findings = await DatabaseChecks(configuration: configuration, logger: .silent).run().findings
            let finding = findings.first { $0.message.contains("not accepting commands") }
            #expect(finding?.verdict == .problem)
            #expect(finding?.remedy?.contains("VACUUM") == true)
        }
    }
}
