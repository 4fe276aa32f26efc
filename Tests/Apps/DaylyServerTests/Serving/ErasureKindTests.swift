import DaylyTesting
import Foundation
import Postgres
import Testing

@testable import DaylyServer
@testable import Restoration

@Suite("Kinds of erasures")
struct ErasureKindTests {
    /// A trigger names the kind as its argument, or its function has it as a literal.
    @Test("the database's triggers write the kinds that a restore knows, and no others")
    func triggers() async throws {
        try await WholeService.run { service in
            let rows = try await service.postgres.query(
                """
                SELECT p.prosrc AS body, encode(t.tgargs, 'escape') AS arguments
                FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid
                WHERE p.prosrc LIKE '%INSERT INTO erasures%'
                """)
            var written: Set<String> = []
            for row in rows {
                let body: String = try row.get("body")
                let arguments: String = try row.get("arguments")
                if body.contains("TG_ARGV[0]") {
                    written.insert(String(arguments.prefix { $0 != "\\" }))
                }
                for literal in body.matches(of: /VALUES\s*\(\s*'(\w+)'/) { written.insert(String(literal.1)) }
            }
            let known = service.composition.restoring.restorations.reduce(into: Set<ErasureKind>()) {
                known, walk in
                if case .journal(let kinds) = walk.moment { known.formUnion(kinds) }
            }
            #expect(written == Set(known.map(\.rawValue)))
        }
    }
}
