import DaylyTesting
import FeatureKit
import Foundation
import HTTPKit
import Postgres
import Testing

@testable import Companion
@testable import Restoration

@Suite("Companion: after a restore")
struct CompanionRestorationTests {
    private let lowest = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))

    /// Guard: a restored joining that had ended ends again (`CompanionRestorations.walks`)
    @Test("whoever had left leaves again, and whoever has joined again since stays")
    func leavesAgain() async throws {
        try await CompanionWorld.run { world in
            var people: [Person] = []
            for name in ["Ada", "Bob", "Cleo"] { people.append(try await world.owner(name: name)) }
            let (ada, bob) = (people[0], people[1])
            let store = CompanionRestorationStore(postgres: world.postgres)
            let digests = try await store.digests(after: lowest, limit: 10)
            let left = digests.filter { [ada.id, bob.id].contains($0.user) }.map(\.digest)
            // Ada left and joined again before the backup; Bob left after it.
            #expect(try await world.call(.delete, "settings", as: ada).status == 204)
            let joined = try await world.call(
                .put, "settings", as: ada, #"{"consent": "1", "limit_minutes": 60}"#)
            #expect(joined.status == 200, "\(joined)")
            #expect(try await walk(world, left) == 1)
            #expect(try await world.call(.get, "settings", as: ada).status == 200)
            #expect(try await world.call(.get, "settings", as: bob).status == 409)
            #expect(try await world.call(.get, "settings", as: people[2]).status == 200)
            #expect(try await walk(world, left) == 0)
        }
    }

    /// Does the walk over the accounts with a journal of those joinings that have ended.
    private func walk(_ world: CompanionWorld, _ left: [[UInt8]]) async throws -> Int {
        let key = JournalKey(secret: Fixtures.secret)
        let journal = ErasureJournal(
            left.map { JournalRecord(kind: "companion", subject: key.seal($0), payload: nil) }, key: key)
        let scope = RestoreWalk.Scope(restore: "test", journal: journal, until: world.clock.now)
        let walk = try #require(world.feature.restorations.first)
        #expect(walk.moment == .journal([.companion]))
        var (after, changed) = (lowest, 0)
        while let page = try await walk.page(scope, after, 1) {
            (after, changed) = (page.last, changed + page.changed)
        }
        return changed
    }
}
