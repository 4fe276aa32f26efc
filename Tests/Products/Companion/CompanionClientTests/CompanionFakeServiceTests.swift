import CompanionClientTesting
@testable import CompanionClient
import ClientFixtures
import CompanionAPI
import DaylyAPI
import DaylyClient
import DaylyClientTesting
import Foundation
import Testing

@Suite("Companion: the service in memory")
struct CompanionFakeServiceTests {
    private let noon = Date(timeIntervalSince1970: 1_772_452_800)

    @Test("a preview shows a day, a pet and a shop")
    func preview() async throws {
        let companion = CompanionRepository(FakeService(now: noon).withCompanion().client())
        let day = try #require(try await companion.day().value)
        #expect(day.day == "2026-03-02" && day.hp == 80 && day.band == 80 && day.tone == "playful")
        #expect(day.usedMinutes == 120 && day.within)
        #expect(try await companion.pet().value?.name == "Miso")
        #expect(try await companion.catalog().value?.foods.count == 3)
        #expect(try await companion.memorials().memorials.isEmpty)
    }

    @Test("an app joins, its cat loses hp, and a second bypass in the window counts as none")
    func story() async throws {
        let companion = CompanionRepository(FakeService(now: noon).withCompanion(hasJoined: false).client())
        let error = await #expect(throws: DaylyError.self) { try await companion.day() }
        #expect(error?.code == .companionNotJoined)
        _ = try await companion.join(CompanionPreferencesRequest(limitMinutes: 120))
        var answers = companion.queue.answers.makeAsyncIterator()
        try await companion.queue.record(.open, at: noon.addingTimeInterval(-900))
        try await companion.queue.record(.bypass, at: noon.addingTimeInterval(-600))
        await companion.queue.settle()
        #expect(await answers.next() != nil)
        try await companion.queue.record(.bypass, at: noon)
        await companion.queue.settle()
        let day = try #require(try await companion.day().value)
        #expect(day.hp == 95 && day.bypasses == 1 && day.openUntil == noon.addingTimeInterval(1_200))
        #expect(try await companion.diary().entries.map(\.kind) == ["welcome"])
        try await companion.leave()
        await #expect(throws: DaylyError.self) { try await companion.day() }
    }

    @Test("a pet eats and wears what its owner can pay")
    func pet() async throws {
        let companion = CompanionRepository(FakeService(now: noon).withCompanion().client())
        let fed = try await companion.feed("dinner")
        #expect(fed.pet.fullness == 70 && fed.wallet.energy == 100 && !fed.pet.fedToday)
        let scarf = try await companion.buy("red_scarf", for: "energy")
        #expect(scarf.cosmetic.owned && scarf.wallet.energy == 20)
        #expect(try await companion.dress(in: ["red_scarf"]).outfit == ["red_scarf"])
        let hungry = await #expect(throws: DaylyError.self) { try await companion.feed("feast") }
        #expect(hungry?.code == .notEnoughEnergy)
        let hat = await #expect(throws: DaylyError.self) { try await companion.dress(in: ["straw_hat"]) }
        #expect(hat?.code == .notOwned)
    }
}
