import DaylyTesting
import FeatureKit
import Foundation
import HTTPKit
import Postgres
import Testing

@testable import Companion

/// Guard: a change sends a hint to the owner alone, and what changes nothing sends none (`CompanionHints`,
/// `CompanionSettingsService.put`, `CompanionPetService.change`, `CompanionIntake.hasChangedDays`,
/// `CompanionRoll.run`, `CompanionZoneChange.moveEnd`)
@Suite("Hints of Companion's syncs and evenings")
struct CompanionSyncHintTests {
    private static let noon = BerlinDays.instant(1, "12:00")

    @Test("a sync sends a hint when an event changes the day, and none for a repeated, refused or idle one")
    func syncs() async throws {
        try await CompanionSyncWorld.run { world in
            let ada = try await world.owner()
            let phone = world.phone(of: ada)
            try await world.set(Self.noon)
            let heard = HeardHints(world.postgres)
            func send(_ events: String...) async throws -> [String] {
                let answer = try await phone.send(events)
                #expect(answer.status == 200, "\(answer)")
                return heard.names(to: ada)
            }
            #expect(try await send() == [])
            let bypass = phone.event("bypass", at: Self.noon)
            #expect(try await send(bypass) == ["companion.day"])
            #expect(try await send(bypass) == [])
            #expect(try await send(phone.event("bypass", at: Self.noon)) == [])
            try await world.set(Self.noon + 60)
            for names in [["companion.day"], []] {
                #expect(try await send(phone.event("reshield", at: Self.noon + 60)) == names)
            }
            for names in [["companion.day"], []] {
                #expect(try await send(phone.event("open", at: Self.noon + 60)) == names)
            }
            for names in [["companion.day"], []] {
                #expect(try await send(phone.usage(BerlinDays.name(1), 60, at: Self.noon + 60)) == names)
            }
        }
    }

    @Test("a report that closes a day sends a hint of the wallet when it pays")
    func award() async throws {
        try await CompanionSyncWorld.run { world in
            let ada = try await world.owner()
            let phone = world.phone(of: ada)
            for (number, minutes, names) in [
                (2, 60, ["companion.day", "companion.wallet"]), (3, 960, ["companion.day"]),
            ] {
                let morning = BerlinDays.instant(number, "08:00")
                try await world.set(morning)
                _ = try await world.day(of: ada)
                let heard = HeardHints(world.postgres)
                for names in [names, []] {
                    let report = phone.usage(
                        BerlinDays.name(number - 1), minutes, final: true, at: morning)
                    try await phone.sync(report)
                    #expect(heard.names(to: ada) == names)
                }
            }
        }
    }

    @Test("the job of summaries tells the owner once, and the evening's job and the purge tell nothing")
    func jobs() async throws {
        try await CompanionSyncWorld.run { world in
            let (ada, bob) = (try await world.owner(), try await world.owner())
            try await world.phone(of: ada).report("bypass", at: Self.noon)
            let heard = HeardHints(world.postgres)
            try await world.set(BerlinDays.instant(1, "23:00"))
            #expect(try await world.feature.nightly.runOnce().posted == 1)
            #expect(heard.take() == [])
            try await world.set(BerlinDays.instant(2, "00:30"))
            for person in [ada, bob] { _ = try await world.day(of: person) }
            _ = heard.take()
            try await world.set(BerlinDays.instant(2, "01:00"))
            for names in [["companion.day"], []] {
                try await world.feature.summaries.runOnce()
                #expect(heard.names(to: ada) == names)
            }
            try await world.set(BerlinDays.instant(100, "12:00"))
            #expect(try await world.feature.purge.runOnce() == 4)
            #expect(heard.take() == [])
        }
    }
}
