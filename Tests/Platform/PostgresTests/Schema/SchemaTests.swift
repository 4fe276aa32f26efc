import DaylyTesting
import Postgres
import Testing

@Suite("The schema in one file")
struct SchemaTests {
    /// Guard: the schema's picture is current, and says what each trigger does (`schema.py` `EFFECTS`,
    /// `--check` of scripts/schema)
    @Test("migrations/schema.sql shows the migrated database, and says what each trigger does")
    func current() async throws {
        let database = try await TestDatabase.make()
        let check = try await Shell.run(
            "scripts/schema --check 2>&1", environment: ["SCHEMA_URL": database.url])
        await database.drop()
        #expect(check.status == 0, "\(check.output)")
    }
}
