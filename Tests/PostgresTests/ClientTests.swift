import DaylyTesting
import Foundation
import Postgres
import Testing

@Suite("A client")
struct ClientTests {
    @Test("values of every type come back as they went")
    func roundTrips() async throws {
        try await withDatabase { client in
            let id = UUID()
            let row = try await client.first("SELECT \(id) AS id, \(42) AS n, \("å'\"\\") AS t")
            #expect(try row?.get("id", as: UUID.self) == id)
            #expect(try row?.get("n") == 42)
            #expect(try row?.get("t") == "å'\"\\")
        }
    }
}
