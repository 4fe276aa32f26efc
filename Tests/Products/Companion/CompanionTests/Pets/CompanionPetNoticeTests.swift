import CompanionRules
import DaylyAPI
import DaylyTesting
import FeatureKit
import Foundation
import HTTPKit
import Postgres
import Testing

@testable import Companion
@testable import Notifications

@Suite("Push messages about pets")
struct CompanionPetNoticeTests {
    /// A message that waits in the outbox.
    private struct Waiting: Equatable {
        let kind: String
        let due: String
        let until: String
    }

    private func waiting(_ world: CompanionWorld) async throws -> [Waiting] {
        try await world.postgres.query(
            "SELECT key, due_at, expires_at FROM outbox WHERE key LIKE 'companion_pet%' ORDER BY due_at, key"
        ).map { row in
            Waiting(
                kind: String(try row.get("key", as: String.self).prefix { $0 != " " }),
                due: WireJSON.timestamp(try row.get("due_at")),
                until: WireJSON.timestamp(try row.get("expires_at")))
        }
    }

    private func registerForPush(_ world: CompanionWorld, _ person: Person) async throws {
        let id = UUID()
        try await world.postgres.execute(
            """
            INSERT INTO devices (id, digest, token, platform, user_id, session_id)
            VALUES (\(id), \(Array(id.uuidString.utf8)), \(id.uuidString), 'ios', \(person.id), \(person.session))
            """)
    }

    /// Whether the reason of a message of the kind holds now.
    private func holds(_ world: CompanionWorld, _ kind: NotificationKind, _ person: Person) async throws
        -> Bool
    {
        let subject = try await world.pet(of: person).id.description
        return try await holds(world, kind, person, subject)
    }

    private func holds(
        _ world: CompanionWorld, _ kind: NotificationKind, _ person: Person, _ subject: String
    ) async throws -> Bool {
        let sources = CompanionPetNotices.sources(world.postgres, PetRules())
        let source = try #require(sources[kind])
        return try await source.isDue(PersonalNotification(kind, subject: subject), person.id)
    }

    @Test("the owner is told at 09:00 after the reset, until that day ends, once")
    func told() async throws {
        try await CompanionWorld.run { world in
            let ada = try await world.keeper()
            try await registerForPush(world, ada)
            for _ in 0..<7 {
                try await world.endDay()
                for _ in 0..<2 { try await world.feature.roll.runOnce() }
            }
            #expect(
                try await waiting(world) == [
                    Waiting(
                        kind: "companion_pet_sick", due: "2026-03-06T09:00:00Z", until: "2026-03-07T00:00:00Z"
                    ),
                    Waiting(
                        kind: "companion_pet_dying", due: "2026-03-09T09:00:00Z",
                        until: "2026-03-10T00:00:00Z"
                    ),
                    Waiting(
                        kind: "companion_pet_dead", due: "2026-03-10T09:00:00Z", until: "2026-03-11T00:00:00Z"
                    ),
                ])
        }
    }

    @Test("the time is that of the owner's clocks")
    func zones() async throws {
        try await CompanionWorld.run(at: "2026-03-27T12:00:00Z", settings: { $0.sickAfter = 1 }) { world in
            let ada = try await world.owner(timeZone: "Europe/Berlin")
            try await registerForPush(world, ada)
            _ = try await world.adopt(ada)
            try await world.set("2026-03-28T23:00:00Z")
            _ = try await world.pet(of: ada)
            #expect(
                try await waiting(world) == [
                    Waiting(
                        kind: "companion_pet_sick", due: "2026-03-29T07:00:00Z", until: "2026-03-29T22:00:00Z"
                    )
                ])
        }
    }

    @Test("of days that passed unseen only what is still useful is told")
    func missed() async throws {
        try await CompanionWorld.run { world in
            let ada = try await world.keeper()
            try await registerForPush(world, ada)
            try await world.endDay(6)
            try await world.feature.roll.runOnce()
            #expect(try await waiting(world).map(\.kind) == ["companion_pet_dying"])
            try await world.endDay(3)
            try await world.feature.roll.runOnce()
            #expect(try await waiting(world).map(\.kind) == ["companion_pet_dying"])
        }
    }

    @Test("a pet that goes from sick to near death in one day is told of both")
    func both() async throws {
        try await CompanionWorld.run(settings: { ($0.sickAfter, $0.deadAfter) = (1, 2) }) { world in
            let ada = try await world.keeper()
            try await registerForPush(world, ada)
            try await world.live(ada, "U")
            _ = try await world.pet(of: ada)
            #expect(
                try await waiting(world).map(\.kind) == ["companion_pet_dying", "companion_pet_sick"])
        }
    }

    /// Guard: the reason of a message holds when it is posted and right before it goes out
    /// (`CompanionNightlyStore`, `CompanionNightlySource`, `CompanionPetNotices`)
    @Test("right before a message goes out its reason must still hold")
    func reasons() async throws {
        try await CompanionWorld.run { world in
            let ada = try await world.keeper(energy: 1_000, gems: 1_000)
            #expect(try await !holds(world, .companionPetSick, ada))
            try await world.live(ada, "UUU")
            #expect(try await holds(world, .companionPetSick, ada))
            _ = try await world.act("pet/cure", ada)
            #expect(try await !holds(world, .companionPetSick, ada))
            try await world.live(ada, "UUUUUU")
            #expect(try await holds(world, .companionPetDying, ada))
            _ = try await world.feed(ada, "feast")
            #expect(try await !holds(world, .companionPetDying, ada))
            try await world.live(ada, "UUUUUUUU")
            let dead = try await world.pet(of: ada)
            #expect(try await holds(world, .companionPetDead, ada))
            #expect(try await !holds(world, .companionPetDying, ada))
            #expect(try await world.restart(ada).status == 200)
            #expect(try await !holds(world, .companionPetDead, ada, dead.id.description))
            #expect(try await !holds(world, .companionPetDead, ada))
        }
    }
}
