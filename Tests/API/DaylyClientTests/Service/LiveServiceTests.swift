import ClientFixtures
import DaylyAPI
import DaylyClient
import DaylyClientTesting
import DaylyTesting
import Foundation
import Testing

/// The SDK and the real service, over sockets.
@Suite("The SDK and the service", .serialized)
struct LiveServiceTests {
    @Test("two people sign in, meet in a group, send and see a photo, and sign out")
    func story() async throws {
        try await LiveService.run { service in
            let (ada, bob) = (try service.client(), try service.client())
            try await service.signIn(ada, as: "Ada", "+14155550101")
            try await service.signIn(bob, as: "Bob", "+14155550102")
            let created = try await ada.groups.create(name: "Breakfast", inviting: ["+14155550102"])
            let invite = try #require(try await bob.invites.received().first)
            #expect(invite.invitedBy == "Ada")
            #expect(try await bob.invites.redeem(invite.code).groupID == created.group.id)

            let progress = Locked<[Double]>([])
            let photo = try await ada.photos.send(
                service.picture(), format: .jpeg, to: created.group.id, key: "monday"
            ) { part in progress.withLock { $0.append(part.fraction) } }
            #expect(progress.withLock { $0.last } == 1)

            guard case .changed(let feed, let version?) = try await bob.photos.feed(of: created.group.id)
            else {
                throw TransportError("the feed has no version")
            }
            #expect(feed.photos.map(\.id) == [photo.id])
            guard case .unchanged = try await bob.photos.feed(of: created.group.id, unless: version) else {
                throw TransportError("the feed has changed")
            }
            let picture = try await bob.pictures.picture(of: #require(feed.photos.first))
            #expect(picture?.starts(with: [0xFF, 0xD8, 0xFF]) == true)
            try await refusals(ada, service, created.group.id)
            try await leaving(ada, bob, created.group.id)
        }
    }

    private func refusals(_ ada: Dayly, _ service: LiveService, _ group: ResourceID) async throws {
        let second = await #expect(throws: DaylyError.self) {
            _ = try await ada.photos.send(service.picture(seed: 1), format: .jpeg, to: group, key: "again")
        }
        guard case .problem(let problem) = second else {
            throw TransportError("\(String(describing: second))")
        }
        #expect(problem.kind == .alreadySentToday && problem.nextSendAt != nil)
        await #expect(throws: DaylyError.invalidPhoneNumber) {
            _ = try await ada.auth.requestVerification(phoneNumber: "+1")
        }
        let verification = try await ada.auth.requestVerification(phoneNumber: "+14155550103")
        let code = try await service.code(to: "+14155550103") == "000000" ? "000001" : "000000"
        await #expect(throws: DaylyError.verificationFailed(attemptsRemaining: 4)) {
            _ = try await ada.auth.signIn(verification.verificationID, code: code)
        }
        for number in 0..<4 { _ = try await ada.groups.create(name: "\(number)", inviting: ["+14155550104"]) }
        await #expect(throws: DaylyError.groupLimitReached) {
            _ = try await ada.groups.create(name: "too many", inviting: ["+14155550104"])
        }
    }

    private func leaving(_ ada: Dayly, _ bob: Dayly, _ group: ResourceID) async throws {
        #expect(try await bob.auth.sessions().map(\.deviceName) == ["a test"])
        try await bob.profile.block(try #require(try await ada.auth.user?.id))
        #expect(try await bob.profile.blocks().map(\.firstName) == ["Ada"])
        #expect(try await !ada.groups.list().contains { $0.id == group }, "a blocked person leaves the group")
        #expect(try await String(decoding: ada.profile.export(), as: UTF8.self).contains("+14155550101"))
        try await bob.auth.signOut()
        await #expect(throws: DaylyError.signedOut) { try await bob.groups.list() }
        try await ada.profile.deleteAccount()
        #expect(try await ada.auth.user == nil)
    }

    @Test("a client whose tokens expire in the middle of its work does not notice")
    func expiry() async throws {
        try await LiveService.run(["auth.access_token_lifetime": "5s"]) { service in
            let store = MemoryTokenStore()
            // A clock that stands still: the client believes in its token until the service refuses it.
            let ada = try service.client(tokens: store, clock: ManualClock())
            try await service.signIn(ada, as: "Ada", "+14155550101")
            let first = store.session
            _ = try await atOnce(4) { _ in
                for _ in 0..<8 {
                    _ = try await ada.groups.list()
                    try await Task.sleep(for: .milliseconds(1500))
                }
            }
            #expect(store.session != first, "it was exchanged")
            #expect(store.writes.count <= 4, "by one call each time: \(store.writes.count)")
        }
    }

    @Test("an exchange whose every first answer is lost keeps the session")
    func lostAnswers() async throws {
        try await LiveService.run { service in
            let store = MemoryTokenStore()
            let ada = try service.client(tokens: store)
            try await service.signIn(ada, as: "Ada", "+14155550101")
            for _ in 0..<3 {
                let before = store.session
                service.proxy.set { $0.cutAfter = "/v1/auth/refresh" }
                let lost = service.proxy.lostAnswers
                let exchange = Task { try await ada.auth.refresh() }
                try await eventually("a lost answer") { service.proxy.lostAnswers > lost }
                service.proxy.set { $0.cutAfter = nil }
                try await exchange.value
                #expect(store.session?.refreshToken != before?.refreshToken)
                _ = try await ada.groups.list()
            }
        }
    }

    @Test(
        "an app and its extension that exchange at the same time both stay signed in"
    )
    func twoProcesses() async throws {
        try await LiveService.run { service in
            let file = service.folder.appendingPathComponent("tokens/session.json")
            let app = try service.client(tokens: FileTokenStore(file: file))
            try await service.signIn(app, as: "Ada", "+14155550101")
            let sharing = try service.client(tokens: FileTokenStore(file: file))
            for _ in 0..<10 {
                async let first: Void = app.auth.refresh()
                async let second: Void = sharing.auth.refresh()
                _ = try await (first, second)
                _ = try await (app.groups.list(), sharing.groups.list())
            }
            #expect(try await app.auth.sessions().count == 1)
        }
    }

    @Test("an upload whose answer is lost is sent again and gives the same photo")
    func lostUpload() async throws {
        try await LiveService.run { service in
            let ada = try service.client()
            try await service.signIn(ada, as: "Ada", "+14155550101")
            let group = try await ada.groups.create(name: "Breakfast", inviting: ["+14155550102"]).group.id
            let picture = try service.picture()
            service.proxy.hold(.replies("POST"))
            let first = Task { try await ada.photos.send(picture, format: .jpeg, to: group, key: "monday") }
            try await service.proxy.waitUntilHeld()
            first.cancel()
            await #expect(throws: DaylyError.cancelled) { try await first.value }
            service.proxy.hold(.nothing)
            let again = try await ada.photos.send(picture, format: .jpeg, to: group, key: "monday")
            let feed = try await ada.photos.feed(of: group).value
            #expect(feed?.photos.map(\.id) == [again.id])
        }
    }

    @Test(
        "connections that break, and a service that is away for a while, are outlived")
    func resets() async throws {
        try await LiveService.run { service in
            let ada = try service.client(retries: RetryPolicy(attempts: 8, firstPause: .milliseconds(100)))
            try await service.signIn(ada, as: "Ada", "+14155550101")
            service.proxy.set {
                $0.isRefusing = true; $0.cutBefore = "/v1/groups"
            }
            let call = Task { try await ada.groups.list() }
            try await Task.sleep(for: .milliseconds(300))
            service.proxy.set { $0.isRefusing = false }
            try await Task.sleep(for: .milliseconds(200))
            service.proxy.set { $0.cutBefore = nil }
            #expect(try await call.value.isEmpty)
            service.proxy.set { $0.isRefusing = true }
            let impatient = try service.client(retries: .never)
            await #expect(throws: DaylyError.networkUnavailable) { _ = try await impatient.service.isAlive() }
        }
    }

    @Test("a session that another device ends is signed out here")
    func endedElsewhere() async throws {
        try await LiveService.run { service in
            let (phone, tablet) = (try service.client(), try service.client())
            try await service.signIn(phone, as: "Ada", "+14155550101")
            try await service.signIn(tablet, as: "Ada", "+14155550101")
            var events = tablet.auth.signInEvents.makeAsyncIterator()
            _ = await events.next()
            try await phone.auth.endOtherSessions()
            await #expect(throws: DaylyError.signedOut) { try await tablet.groups.list() }
            #expect(await events.next() == .signedOut(.endedByService))
            #expect(try await phone.groups.list().isEmpty)
        }
    }
}
