import CompanionAPI
import DaylyAPI
import DaylyTesting
import FeatureKit
import Foundation
import HTTPKit
import Testing

@testable import Companion

@Suite("Memorials")
struct CompanionMemorialTests {
    private func remember(_ count: Int, _ world: CompanionWorld, _ person: Person) async throws {
        try await world.postgres.execute(
            """
            INSERT INTO companion_memorials (user_id, id, name, species, growth, born_on, died_on, outfit, created_at)
            SELECT \(person.id), gen_random_uuid(), 'Pet ' || n, 'dog', 2100, '2026-01-01', '2026-01-03', '{}',
                date_trunc('second', now()) + (n / 3) * interval '1 second'
            FROM generate_series(1, \(count)) AS n
            """)
    }

    @Test("memorials come newest first, 50 a page")
    func pages() async throws {
        try await CompanionWorld.run { world in
            let (ada, bob) = (try await world.owner(), try await world.owner(name: "Bob"))
            try await remember(70, world, ada)
            let first: CompanionMemorialPage = try await world.call(.get, "memorials", as: ada).decode()
            let cursor = try #require(first.cursor)
            let second: CompanionMemorialPage =
                try await world.call(.get, "memorials?cursor=\(cursor)", as: ada).decode()
            #expect(first.memorials.count == 50 && second.memorials.count == 20 && second.cursor == nil)
            let all = first.memorials + second.memorials
            #expect(Set(all.map(\.id)).count == 70 && ["Pet 69", "Pet 70"].contains(all[0].name))
            #expect(all.allSatisfy { $0.stage == "adult" && $0.days == 3 })
            for text in [cursor + "A", "x"] {
                let answer = try await world.call(.get, "memorials?cursor=\(text)", as: ada)
                world.expectProblem(answer, 410, "cursor_expired")
            }
            let stolen = try await world.call(.get, "memorials?cursor=\(cursor)", as: bob)
            world.expectProblem(stolen, 410, "cursor_expired")
        }
    }

    /// Guard: an owner deletes their own memorials only (`CompanionMemorialStore.delete`)
    @Test("an owner deletes a memorial of their own")
    func delete() async throws {
        try await CompanionWorld.run { world in
            let (ada, bob) = (try await world.owner(), try await world.owner(name: "Bob"))
            try await remember(2, world, ada)
            let page: CompanionMemorialPage = try await world.call(.get, "memorials", as: ada).decode()
            let path = "memorials/\(page.memorials[0].id)"
            world.expectProblem(try await world.call(.delete, path, as: bob), 404, "not_found")
            #expect(try await world.call(.delete, path, as: ada).status == 204)
            world.expectProblem(try await world.call(.delete, path, as: ada), 404, "not_found")
            let left: CompanionMemorialPage = try await world.call(.get, "memorials", as: ada).decode()
            #expect(left.memorials == [page.memorials[1]])
        }
    }
}
