import ClientFixtures
import DaylyAPI
import DaylyClient
import DaylyTesting
import Foundation
import Testing

/// Queue, events and pictures of the SDK against the real service.
@Suite("The SDK's queue and events against the service", .serialized)
struct LiveEventTests {
    @Test(
        "while tokens end and connections with them, each change comes once, and a queued photo arrives")
    func story() async throws {
        try await LiveService.run(["auth.access_token_lifetime": "5s"]) { service in
            let (ada, bob) = (try service.client(), try service.client())
            try await service.signIn(ada, as: "Ada", "+14155550101")
            try await service.signIn(bob, as: "Bob", "+14155550102")
            let group = try await ada.groups.create(name: "0", inviting: ["+14155550102"]).group.id
            _ = try await bob.invites.redeem(#require(try await bob.invites.received().first).code)

            let seen = Locked<[DaylyEvent]>([])
            let loop = Task {
                for try await event in bob.events { seen.withLock { $0.append(event) } }
            }
            try await eventually("the stream") { seen.withLock { $0.count } == 1 }
            for name in 1...20 {
                _ = try await ada.groups.rename(group, to: "\(name)")
                try await Task.sleep(for: .milliseconds(400))
            }
            _ = try await ada.uploads.enqueue(photo: Data(contentsOf: service.picture()), groups: [group])
            let photo = try await eventually("the photo") { seen.withLock { $0.compactMap(\.photo).first } }
            // The service joins renames that nobody has read yet, so a name may be missing.
            let names = seen.withLock { $0.compactMap(\.name) }.compactMap { Int($0) }
            #expect(names == Set(names).sorted() && names.last == 20, "\(names)")
            #expect(seen.withLock { $0.filter(\.isResync).count } == 1)
            #expect(try await bob.pictures.picture(of: photo)?.starts(with: [0xFF, 0xD8, 0xFF]) == true)

            try await bob.auth.signOut()
            _ = await loop.result
        }
    }
}

extension DaylyEvent {
    fileprivate var photo: Photo? { if case .photoCreated(let event) = self { event.photo } else { nil } }
    fileprivate var name: String? { if case .groupUpdated(let event) = self { event.name } else { nil } }
    fileprivate var isResync: Bool { if case .resync = self { true } else { false } }
}
