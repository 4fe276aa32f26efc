import DaylyTesting
import FeatureKit
import Foundation
import Postgres
import Testing

@testable import Focus

@Suite("Leaving Focus")
struct LeavingTests {
    @Test("leaving is recorded for the journal once, and a later joining is another profile")
    func record() async throws {
        try await PeopleWorld.run { world, call in
            let (ada, bob) = (try await world.member("ada"), try await world.member("bob"))
            let store = FocusRestorationStore(postgres: world.postgres)
            func digest(of person: Person) async throws -> [UInt8]? {
                try await store.digests(after: lowest, limit: 10).first { $0.user == person.id }?.digest
            }
            func records() async throws -> [[UInt8]] {
                try await world.postgres.query("SELECT subject FROM erasures WHERE kind = 'focus'").map {
                    try $0.get("subject")
                }
            }
            let before = try #require(try await digest(of: ada))
            #expect(try await call(.delete, "profile", as: ada).status == 204)
            #expect(try await records() == [before])
            // Again: there is nothing to leave.
            #expect(try await call(.delete, "profile", as: ada).status == 204)
            #expect(try await records().count == 1)
            try await world.clock.advance(by: .seconds(1))
            #expect(try await call(.put, "profile", #"{"consent": "1"}"#, as: ada).status == 200)
            let after = try #require(try await digest(of: ada))
            #expect(after != before)
            // A deleted account has a record of its own.
            try await world.postgres.execute("DELETE FROM users WHERE id = \(bob.id)")
            #expect(try await records().count == 1)
            #expect(try await store.delete([ada.id]) == 1)
            #expect(try await digest(of: ada) == nil)
        }
    }

    @Test("a restore ends the follows between which a block stands, page by page")
    func blockedFollows() async throws {
        try await PeopleWorld.run { world, call in
            let people = [
                try await world.member("ada"), try await world.member("bob"), try await world.member("cleo"),
            ]
            for (follower, nickname) in [(0, "bob"), (1, "ada"), (1, "cleo"), (2, "ada")] {
                let path = "following/by-nickname/\(nickname)"
                #expect(try await call(.put, path, as: people[follower]).status == 200)
            }
            try await world.postgres.execute(
                """
                INSERT INTO blocks (blocker_id, number_hmac, blocked_id)
                VALUES (\(people[0].id), '\\x01', \(people[1].id))
                """)
            let store = FocusRestorationStore(postgres: world.postgres)
            var (after, changed, pages) = (lowest, 0, 0)
            while let page = try await store.endBlockedFollows(after: after, limit: 1) {
                (after, changed, pages) = (page.last, changed + page.changed, pages + 1)
            }
            #expect(changed == 2 && pages == 3)
            let left = try await world.postgres.query(
                "SELECT p.nickname FROM focus_follows f JOIN focus_profiles p ON p.user_id = f.followed_id ORDER BY 1"
            )
            #expect(try left.map { try $0.get("nickname", as: String.self) } == ["ada", "cleo"])
        }
    }

    private let lowest = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
}
