import Auth
import DaylyTesting
import FeatureKit
import Foundation
import HTTPKit
import Postgres
import Testing

@testable import Companion

@Suite("Companion: leaving")
struct CompanionLeavingTests {
    private let lowest = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))

    private func records(_ world: CompanionWorld) async throws -> [[UInt8]] {
        try await world.postgres.query("SELECT subject FROM erasures WHERE kind = 'companion' ORDER BY id")
            .map { try $0.get("subject") }
    }

    /// Guard: a joining has an id of its own for the journal (`companion_settings.joining`)
    @Test("leaving erases everything and is recorded once, and a joining in the same second is another one")
    func record() async throws {
        try await CompanionWorld.run { world in
            let ada = try await world.owner()
            let store = CompanionRestorationStore(postgres: world.postgres)
            let before = try #require(try await store.digests(after: lowest, limit: 10).first?.digest)
            #expect(try await world.call(.delete, "settings", as: ada).status == 204)
            #expect(try await records(world) == [before])
            #expect(try await world.count("SELECT count(*) AS count FROM companion_days") == 0)
            #expect(try await world.call(.delete, "settings", as: ada).status == 204)
            #expect(try await records(world).count == 1)
            let joined = try await world.call(
                .put, "settings", as: ada, #"{"consent": "1", "limit_minutes": 60}"#)
            #expect(joined.status == 200, "\(joined)")
            let after = try #require(try await store.digests(after: lowest, limit: 10).first?.digest)
            #expect(after != before)
        }
    }

    /// Guard: leaving deletes the messages about the user and the keys of calls
    /// (`focus_profiles_forget_messages`, `companion_settings_forget_messages` (0054))
    @Test("leaving deletes the messages of Companion and the keys of its calls, and only these")
    func messages() async throws {
        try await CompanionWorld.run { world in
            let ada = try await world.owner()
            for (topic, key) in [
                ("personal", "companion_nightly 1"), ("personal", "streak_morning 1"),
                ("notice", "companion_2"),
            ] {
                try await world.postgres.execute(
                    """
                    INSERT INTO outbox (id, topic, key, user_id, payload, expires_at, keep_until)
                    VALUES (gen_random_uuid(), \(topic), \(key), \(ada.id), '{}', now() + interval '1 day',
                        now() + interval '2 days')
                    """)
            }
            for path in ["/v1/companion/pet", "/v1/groups"] {
                try await world.postgres.execute(
                    """
                    INSERT INTO idempotency_keys (user_id, path, key, digest, resource_id)
                    VALUES (\(ada.id), \(path), 'key', '\\x00', gen_random_uuid())
                    """)
            }
            #expect(try await world.call(.delete, "settings", as: ada).status == 204)
            let left = try await world.postgres.query("SELECT key FROM outbox ORDER BY key")
            #expect(
                try left.map { try $0.get("key", as: String.self) } == ["companion_2", "streak_morning 1"])
            let paths = try await world.postgres.query("SELECT path FROM idempotency_keys")
            #expect(try paths.map { try $0.get("path", as: String.self) } == ["/v1/groups"])
        }
    }

    @Test("a deleted account leaves no row, and has a record of its own only")
    func accountDeleted() async throws {
        try await CompanionWorld.run { world in
            let ada = try await world.owner()
            #expect(try await world.callAny(.delete, "users/me", as: ada).status == 204)
            #expect(try await world.count("SELECT count(*) AS count FROM companion_settings") == 0)
            let kinds = try await world.postgres.query("SELECT kind FROM erasures ORDER BY kind").map {
                try $0.get("kind", as: String.self)
            }
            #expect(kinds.contains("user"), "\(kinds)")
        }
    }

    @Test("deleting an account while its days end makes no deadlock")
    func deletionDuringRoll() async throws {
        try await CompanionWorld.run { world in
            for _ in 1...3 {
                let ada = try await world.owner()
                try await world.clock.advance(by: .days(1))
                try await withThrowingTaskGroup(of: Int.self) { group in
                    for _ in 1...4 {
                        group.addTask { try await world.call(.get, "day", as: ada).status }
                    }
                    group.addTask { try await world.callAny(.delete, "users/me", as: ada).status }
                    for try await status in group { #expect([200, 204, 409].contains(status), "\(status)") }
                }
            }
        }
    }
}
