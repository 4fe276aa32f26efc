import ClientFixtures
import DaylyAPI
import DaylyClient
import DaylyClientTesting
import Foundation
import Testing

/// The SDK and the real service on a slow network, and on a device whose clock is wrong.
@Suite("The SDK on poor ground", .serialized)
struct LiveNetworkTests {
    /// A clock that somebody has set by some days. Time itself goes on as it does everywhere.
    private struct WrongClock: ClientClock {
        let offset = Locked(TimeInterval.zero)

        var monotonic: Duration { SystemClock().monotonic }
        var now: Date { Date().addingTimeInterval(offset.withLock { $0 }) }

        func sleep(for duration: Duration) async throws { try await SystemClock().sleep(for: duration) }

        func set(days: Double) { offset.withLock { $0 = days * 86_400 } }
    }

    @Test("a slow network takes its time and needs no second attempt")
    func slowness() async throws {
        try await LiveService.run { service in
            // Each attempt may take as long as it likes, as long as it moves.
            let ada = try service.client(retries: .never)
            try await service.signIn(ada, as: "Ada", "+14155550101")
            let group = try await ada.groups.create(name: "Breakfast", inviting: ["+14155550102"]).group.id
            let picture = try service.picture()
            let size = try Data(contentsOf: picture).count
            // The service gives up on a body that comes more slowly than 16 KiB a second.
            let pace = max(size / 5, 40_000)
            service.proxy.set { $0.bytesPerSecond = pace }
            let began = ContinuousClock.now
            let photo = try await ada.photos.send(picture, format: .jpeg, to: group, key: "monday") { _ in }
            #expect(ContinuousClock.now - began > .milliseconds(500 * size / pace))
            let feed = try #require(try await ada.photos.feed(of: group).value)
            #expect(feed.photos.map(\.id) == [photo.id])
            #expect(try await ada.pictures.picture(of: photo)?.isEmpty == false)
        }
    }

    @Test(
        "a clock that is set days ahead, then back, ends no session, hides no photo and keeps none from going"
    )
    func wrongClock() async throws {
        try await LiveService.run { service in
            let (store, clock) = (MemoryTokenStore(), WrongClock())
            let ada = try service.client(tokens: store, clock: clock)
            try await service.signIn(ada, as: "Ada", "+14155550101")
            let session = store.session
            var sent = ada.uploads.sent.makeAsyncIterator()

            let first = try await ada.groups.create(name: "First", inviting: ["+14155550102"]).group.id
            _ = try await ada.uploads.enqueue(photo: Data(contentsOf: service.picture()), groups: [first])
            let photo = try #require(await sent.next()).photo
            clock.set(days: 3)
            #expect(try await ada.pictures.picture(of: photo)?.isEmpty == false)

            let second = try await ada.groups.create(name: "Second", inviting: ["+14155550102"]).group.id
            service.proxy.set { $0.cutBefore = "/v1/" }
            _ = try await ada.uploads.enqueue(
                photo: Data(contentsOf: service.picture(seed: 1)), groups: [second])
            _ = await ada.uploads.items.first { ($0.first?.attempts ?? 0) > 0 }
            // The item waits until a moment that is now six days away.
            clock.set(days: -3)
            service.proxy.set { $0.cutBefore = nil }
            let late = try #require(await sent.next()).photo
            #expect(try await ada.photos.feed(of: second).value?.photos.map(\.id) == [late.id])
            #expect(try await ada.pictures.picture(of: late)?.isEmpty == false)
            #expect(store.session == session, "no token was exchanged")
        }
    }
}
