import DaylyTesting
import FeatureKit
import Foundation
import HTTPKit
import Postgres
import Testing

@testable import Companion

/// A call holds the lock of its account's settings while it works. The jobs pass such an account over and take it later.
@Suite("Companion: jobs beside busy accounts")
struct CompanionBusyAccountTests {
    private static func lock(_ person: Person) -> SQL {
        "SELECT FROM companion_settings WHERE user_id = \(person.id) FOR NO KEY UPDATE"
    }

    /// Guard: a job passes over accounts that a call holds, and locks those that it takes
    /// (`CompanionOwnerStore.claimPets`, `CompanionDayStore.claimSummaries`, `CompanionNightlyStore.claim`)
    @Test("the job that ends days does not wait for an account that a call holds, and takes it afterwards")
    func roll() async throws {
        try await CompanionWorld.run { world in
            let (ada, bob) = (try await world.owner(), try await world.owner(name: "Bob"))
            for person in [ada, bob] { _ = try await world.adopt(person) }
            try await world.endDay()
            let job = world.feature.roll
            #expect(try await world.postgres.holding(Self.lock(ada)) { try await job.runOnce() } == 1)
            #expect(try await job.runOnce() == 1)
        }
    }

    /// Guard: a job passes over accounts that a call holds, and locks those that it takes
    /// (`CompanionOwnerStore.claimPets`, `CompanionDayStore.claimSummaries`, `CompanionNightlyStore.claim`)
    @Test("the job of summaries does not wait for an account that a call holds, and takes it afterwards")
    func summaries() async throws {
        try await CompanionSyncWorld.run { world in
            let (ada, bob) = (try await world.owner(), try await world.owner())
            for person in [ada, bob] {
                try await world.phone(of: person).report("reshield", at: BerlinDays.instant(1, "12:00"))
            }
            try await world.set(BerlinDays.instant(2, "00:00"))
            for person in [ada, bob] { _ = try await world.day(of: person) }
            try await world.set(BerlinDays.instant(2, "01:00"))
            let job = world.feature.summaries
            #expect(try await world.postgres.holding(Self.lock(ada)) { try await job.runOnce() } == 1)
            #expect(try await job.runOnce() == 1)
        }
    }

    /// Guard: a job passes over accounts that a call holds, and locks those that it takes
    /// (`CompanionOwnerStore.claimPets`, `CompanionDayStore.claimSummaries`, `CompanionNightlyStore.claim`)
    @Test("the evening's job does not wait for an account that a call holds, and takes it afterwards")
    func nightly() async throws {
        try await CompanionSyncWorld.run { world in
            let (ada, bob) = (try await world.owner(), try await world.owner())
            for person in [ada, bob] {
                try await world.phone(of: person).report("reshield", at: BerlinDays.instant(1, "12:00"))
            }
            try await world.set(BerlinDays.instant(1, "23:00"))
            let job = world.feature.nightly
            #expect(
                try await world.postgres.holding(Self.lock(ada)) { try await job.runOnce() }.posted == 1)
            #expect(try await job.runOnce().posted == 1)
        }
    }

    /// Guard: an evening's message is posted once, also after a claim that another instance overtook
    /// (`CompanionNightlyStore.take`)
    @Test("an evening that another instance took after the claim has read it is not taken again")
    func eveningOnce() async throws {
        try await CompanionSyncWorld.run { world in
            let ada = try await world.owner()
            try await world.phone(of: ada).report("reshield", at: BerlinDays.instant(1, "12:00"))
            try await world.set(BerlinDays.instant(1, "23:00"))
            func take() async throws -> [Bool] {
                try await world.postgres.transaction { tx in
                    try CompanionNightlyStore.take(tx, of: [ada.id]).map(\.isTold)
                }
            }
            #expect(try await take() == [true])
            #expect(try await take() == [])
        }
    }

    /// Guard: the purge passes over days that a call holds (`CompanionPurgeStore.deleteDays`)
    @Test("the purge does not wait for a day that a call holds, and deletes it the next time")
    func purge() async throws {
        try await CompanionWorld.run { world in
            let (ada, _) = (try await world.owner(), try await world.owner(name: "Bob"))
            try await world.clock.advance(by: .days(100))
            let job = world.feature.purge
            let day: SQL = "SELECT FROM companion_days WHERE user_id = \(ada.id) FOR UPDATE"
            #expect(try await world.postgres.holding(day) { try await job.runOnce() } == 1)
            #expect(try await job.runOnce() == 1)
        }
    }

    /// One account more than a batch holds, each with a pet and with a day that has ended.
    private func makeDueAccounts(_ world: CompanionWorld) async throws {
        let ada = try await world.owner()
        _ = try await world.adopt(ada)
        for _ in 0..<CompanionRollJob.batchSize { _ = try await Fixtures.user(in: world.postgres) }
        try await world.postgres.execute(
            """
            INSERT INTO companion_settings (user_id, consent, joined_at, limit_minutes, limit_minutes_today,
                cooldown_minutes, nightly, day, begins_at, ends_at, has_pet)
            SELECT u.id, consent, joined_at, limit_minutes, limit_minutes_today, cooldown_minutes, nightly, day,
                begins_at, ends_at, has_pet
            FROM companion_settings JOIN users u ON u.id <> user_id
            """)
        try await world.endDay()
    }

    /// Guard: a full batch is followed by another one (`CompanionRollJob.runOnce`)
    @Test("the job that ends days takes more accounts than one batch holds")
    func batches() async throws {
        try await CompanionWorld.run { world in
            try await makeDueAccounts(world)
            #expect(try await world.feature.roll.runOnce() == CompanionRollJob.batchSize + 1)
        }
    }

    /// Guard: a run in which more than twenty rows fail ends (`RowFailures.add`)
    @Test("the job ends, too, when every account fails")
    func allFail() async throws {
        try await CompanionWorld.run { world in
            try await makeDueAccounts(world)
            try await world.postgres.execute(
                "ALTER TABLE companion_days ADD CONSTRAINT refused CHECK (false) NOT VALID")
            let job = world.feature.roll
            await #expect(throws: PostgresError.self) { try await job.runOnce() }
        }
    }
}
