import ClientFixtures
@testable import CompanionClient
import CompanionAPI
import DaylyAPI
import DaylyClient
import DaylyTesting
import Foundation
import StoreTesting
import Testing

/// Companion in the SDK against the real service.
@Suite("Companion: the SDK against the service", .serialized)
struct CompanionLiveTests {
    @Test(
        "two phones of an owner report a day, one of them offline, and both see its hp, diary, use and hints")
    func day() async throws {
        try await LiveService.run { service in
            let phones = try await Self.phones(of: service)
            let (phone, tablet) = (CompanionRepository(phones[0]), CompanionRepository(phones[1]))
            let error = await #expect(throws: DaylyError.self) { try await phone.day() }
            #expect(error?.code == .companionNotJoined)
            let joined = try await phone.join(
                CompanionPreferencesRequest(limitMinutes: 120, cooldownMinutes: 10))
            #expect(joined.limitMinutesToday == 120 && joined.cooldownMinutes == 10 && joined.nightly)
            let changed = try await tablet.join(
                CompanionPreferencesRequest(limitMinutes: 240, cooldownMinutes: 10, nightly: false))
            #expect(changed.limitMinutes == 240 && changed.limitMinutesToday == 120)
            #expect(try await phone.settings().value == changed && !changed.nightly)
            // An event of the second in which its owner joined may count as one of before.
            try await Task.sleep(for: .milliseconds(1_500))

            let seen = Locked<[DaylyEvent]>([])
            let loop = Task { for try await event in phones[1].events { seen.withLock { $0.append(event) } } }
            try await eventually("the stream") { seen.withLock { !$0.isEmpty } }
            try await Self.sendLater([.open, .bypass], by: phone, service)
            try await eventually("a hint") {
                seen.withLock { $0.contains { if case .day = $0.companion { true } else { false } } }
            }
            loop.cancel()
            var answers = tablet.queue.answers.makeAsyncIterator()
            try await tablet.queue.record(.bypass)
            #expect(await answers.next()?.rejected == [])
            let day = try #require(try await tablet.day().value)
            #expect(day.hp == 90 && day.bypasses == 2 && day.openUntil != nil)
            #expect(try await tablet.diary().entries.contains { $0.kind == "welcome" })

            for (reporter, minutes) in [(phone, 30), (tablet, 45), (phone, 20)] {
                try await reporter.queue.record(.usage(day: day.day, minutes: minutes))
                await reporter.queue.settle()
            }
            let used = try #require(try await phone.day(day.day).value)
            #expect(used.usedMinutes == 45 && used.within && used.energy == nil && used.hp == 90)
            let ids = [try await phone.queue.device(), try await tablet.queue.device()]
            #expect(try await phone.devices().value?.map(\.id) == ids)
        }
    }

    @Test("a pet wears what its owner can pay, and leaving erases all of it")
    func pet() async throws {
        let store = try TestAppStore()
        try await withTemporaryFolder { folder in
            let roots = folder.appendingPathComponent("roots.pem")
            try store.rootPEM.write(to: roots, atomically: true, encoding: .utf8)
            let settings = [
                "app_store.bundle_id": TestAppStore.bundleID, "app_store.root_certificates": roots.path,
                "companion.products": "gems_100=100",
            ]
            try await LiveService.run(settings) { service in
                let phones = try await Self.phones(of: service)
                let (phone, tablet) = (CompanionRepository(phones[0]), CompanionRepository(phones[1]))
                _ = try await phone.join(CompanionPreferencesRequest(limitMinutes: 120))
                try await Self.keepPet(phone)
                let transaction = try await Self.shop(phone, store)
                try await tablet.queue.record(.open)
                await tablet.queue.settle()
                try await Self.leave(phone, tablet, transaction)
            }
        }
    }

    /// Two devices on which one user is signed in.
    private static func phones(of service: LiveService) async throws -> [Dayly] {
        let phones = [try service.client(), try service.client()]
        for phone in phones { try await service.signIn(phone, as: "Ada", "+14155550101") }
        return phones
    }

    /// Records events while the service cannot be reached, and sends them once it can.
    private static func sendLater(
        _ events: [CompanionPhoneEvent], by phone: CompanionRepository, _ service: LiveService
    ) async throws {
        service.proxy.set { $0.cutBefore = "/v1/companion/sync" }
        for event in events { try await phone.queue.record(event) }
        await phone.queue.settle()
        let failed = await phone.queue.statuses.first { $0.state == .waiting }
        #expect(failed?.pending == events.count)
        service.proxy.set { $0.cutBefore = nil }
        await phone.queue.resume()
        await phone.queue.settle()
        let sent = await phone.queue.statuses.first { _ in true }
        #expect(sent?.pending == 0 && sent?.state == .idle)
    }

    private static func keepPet(_ phone: CompanionRepository) async throws {
        let (key, new) = (UUID(), CompanionNewPet(species: "cat", name: "Miso"))
        let pet = try await phone.adopt(new, key: key)
        #expect(try await phone.adopt(new, key: key) == pet && pet.health == "healthy")
        let second = await #expect(throws: DaylyError.self) { try await phone.adopt(new) }
        #expect(second?.code == .petExists)
        #expect(try await phone.renamePet(to: "Momo").name == "Momo")
        // Nothing was earned yet.
        let hungry = await #expect(throws: DaylyError.self) { try await phone.feed("kibble") }
        #expect(hungry?.code == .notEnoughEnergy)
        #expect(try await phone.wallet().value?.energy == 0)
        #expect(try await phone.pet().value?.fullness == pet.fullness)
    }

    /// Buys gems, and for them a hat, which the pet wears.
    ///
    /// - Returns: the signed transaction.
    private static func shop(_ phone: CompanionRepository, _ store: TestAppStore) async throws -> String {
        let token = try #require(try await phone.wallet().value?.appAccountToken)
        let transaction = try store.transaction([
            "productId": "gems_100", "appAccountToken": token.description,
        ])
        for _ in 1...2 {
            #expect(try await phone.claim(signedTransaction: transaction).wallet.gems == 100)
        }
        let key = UUID()
        for _ in 1...2 {
            let hat = try await phone.buy("straw_hat", for: "gems", key: key)
            #expect(hat.cosmetic.owned && hat.wallet.gems == 20)
        }
        #expect(try await phone.dress(in: ["straw_hat"]).outfit == ["straw_hat"])
        let offered = try await phone.catalog().value?.cosmetics.filter(\.owned).map(\.id)
        #expect(offered == ["straw_hat"])
        let entries = try await phone.ledger().entries
        #expect(entries.map(\.kind) == ["cosmetic", "purchase"] && entries.map(\.balance) == [20, 100])
        return transaction
    }

    /// Leaves on one phone, which the other one notices, and joins again.
    private static func leave(
        _ phone: CompanionRepository, _ tablet: CompanionRepository, _ transaction: String
    ) async throws {
        try await phone.leave()
        for gone in [phone, tablet] {
            let error = await #expect(throws: DaylyError.self) { try await gone.pet() }
            #expect(error?.code == .companionNotJoined)
        }
        try await tablet.queue.record(.bypass)
        await tablet.queue.settle()
        let stopped = await tablet.queue.statuses.first { _ in true }
        #expect(stopped?.state == .stopped(.notJoined) && stopped?.pending == 1)

        _ = try await phone.join(CompanionPreferencesRequest(limitMinutes: 60))
        let pet = await #expect(throws: DaylyError.self) { try await phone.pet() }
        #expect(pet?.code == .notFound)
        #expect(try await phone.wallet().value?.gems == 0)
        #expect(try await phone.ledger().entries.isEmpty)
        #expect(try await phone.diary().entries.isEmpty)
        #expect(try await phone.devices().value?.isEmpty == true)
        #expect(try await phone.day().value?.hp == 100)
        let claimed = await #expect(throws: DaylyError.self) {
            try await phone.claim(signedTransaction: transaction)
        }
        #expect(claimed?.code == .purchaseClaimed)
        // The service judges the event that the tablet has kept, once the app says that its owner has joined again.
        await tablet.queue.restart()
        await tablet.queue.settle()
        #expect(await tablet.queue.statuses.first { _ in true }?.pending == 0)
    }
}
