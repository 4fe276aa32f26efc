import ClientFixtures
import DaylyAPI
import DaylyClient
import DaylyClientTesting
import Foundation
import Testing

@Suite("Tokens over time, and signing out")
struct ClientExpiryTests {
    /// Gives a new child at each exchange.
    private static func exchanging(_ request: TransportRequest) -> StubAnswer {
        guard let token = request.refreshToken else { return .json(User.ada) }
        return .json(TokenResponse.numbered((Int(token.dropFirst("refresh-".count)) ?? 0) + 1))
    }

    /// Guard: tokens live by the monotonic clock, from the sending of the request (`ClientSession.grant`)
    @Test("a token is exchanged when its time is nearly up, by the clock that nobody can set")
    func expiry() async throws {
        let client = try ScriptedClient { Self.exchanging($0) }
        _ = try await client.dayly.profile.get()
        client.clock.setWallClock(to: Date(timeIntervalSince1970: 0))
        client.clock.advance(by: .seconds(860))
        _ = try await client.dayly.profile.get()
        client.clock.setWallClock(to: .distantFuture)
        _ = try await client.dayly.profile.get()
        #expect(client.count("/v1/auth/refresh") == 1)
        client.clock.advance(by: .seconds(10))
        _ = try await client.dayly.profile.get()
        #expect(client.count("/v1/auth/refresh") == 2)
    }

    /// Guard: tokens live by the monotonic clock, from the sending of the request (`ClientSession.grant`)
    @Test("the lifetime begins when the request was sent")
    func slowAnswer() async throws {
        let clock = Locked<ManualClock?>(nil)
        let client = try ScriptedClient { request in
            if request.refreshToken != nil { clock.withLock { $0?.advance(by: .seconds(600)) } }
            return Self.exchanging(request)
        }
        clock.withLock { $0 = client.clock }
        _ = try await client.dayly.profile.get()
        client.clock.advance(by: .seconds(299))
        _ = try await client.dayly.profile.get()
        #expect(client.count("/v1/auth/refresh") == 2)
    }

    @Test("while the service cannot be reached, a token is used up to its end and not beyond")
    func lastSeconds() async throws {
        let isOffline = Locked(false)
        let client = try ScriptedClient { request in
            if request.refreshToken != nil, isOffline.withLock({ $0 }) { throw ClientSessionTests.offline }
            return Self.exchanging(request)
        }
        _ = try await client.dayly.profile.get()
        isOffline.withLock { $0 = true }
        client.clock.advance(by: .seconds(880))
        #expect(try await client.dayly.profile.get() == .ada)
        client.clock.advance(by: .seconds(20))
        await #expect(throws: DaylyError.networkUnavailable) { try await client.dayly.profile.get() }
    }

    /// Guard: a refused access token is exchanged once and its call repeated once
    /// (`AuthorizedClient.authorized`)
    @Test("after a 401 the token is exchanged once and the call is repeated once, changing calls too")
    func refusedToken() async throws {
        let client = try ScriptedClient { request in
            guard request.url.path == "/v1/groups" else { return Self.exchanging(request) }
            return .problem(401, .unauthorized)
        }
        let error = await #expect(throws: DaylyError.self) {
            try await client.dayly.groups.create(name: "Breakfast", inviting: ["+14155550102"])
        }
        #expect(error?.code == .unauthorized)
        #expect(client.transport.requests.compactMap(\.bearer) == ["access-1", "access-2"])
        #expect(client.store.session == .numbered(2), "it signs nobody out")
    }

    @Test("several calls whose token is refused at once cause one exchange")
    func refusedTogether() async throws {
        let client = try ScriptedClient { request in
            request.bearer == "access-1" ? .problem(401, .unauthorized) : Self.exchanging(request)
        }
        try await client.dayly.auth.refresh()
        let before = client.count("/v1/auth/refresh")
        try await withThrowingTaskGroup(of: Void.self) { calls in
            for _ in 0..<10 { calls.addTask { _ = try await client.dayly.profile.get() } }
            try await calls.waitForAll()
        }
        #expect(client.count("/v1/auth/refresh") - before <= 1)
    }

    /// Guard: signing out deletes tokens and data offline, and says when it could not
    /// (`ClientSession.signOut`, `ClientSession.clear`)
    @Test("signing out works offline, deletes the tokens and what belongs to the user")
    func signOut() async throws {
        let cleared = Locked<[ResourceID]>([])
        let client = try ScriptedClient { _ in throw ClientSessionTests.offline }
        client.dayly.session.onSignOut { user in cleared.withLock { $0.append(user) } }
        var events = client.dayly.auth.signInEvents.makeAsyncIterator()
        #expect(await events.next() == .signedIn(.ada))
        try await client.dayly.auth.signOut()
        #expect(await events.next() == .signedOut(.byUser))
        #expect(client.store.session == nil)
        #expect(cleared.withLock { $0 } == [User.ada.id])
        #expect(try await client.dayly.auth.user == nil)
        await #expect(throws: DaylyError.signedOut) { try await client.dayly.profile.get() }
        #expect(client.transport.requests.map(\.url.path) == ["/v1/auth/logout"])
    }

    /// Guard: signing out deletes tokens and data offline, and says when it could not
    /// (`ClientSession.signOut`, `ClientSession.clear`)
    @Test("signing out says when the tokens could not be deleted, and can be repeated")
    func undeletableTokens() async throws {
        let client = try ScriptedClient { _ in .done }
        client.store.refuse(writes: true)
        await #expect(throws: DaylyError.storageFailed) { try await client.dayly.auth.signOut() }
        client.store.refuse()
        try await client.dayly.auth.signOut()
        #expect(client.store.session == nil)
    }

    /// Guard: signing out deletes tokens and data offline, and says when it could not
    /// (`ClientSession.signOut`, `ClientSession.clear`)
    @Test("a session that ends by the service or by another process is cleared too")
    func clearedWithoutTheUser() async throws {
        let cleared = Locked<[ResourceID]>([])
        let client = try ScriptedClient { _ in .problem(401, .invalidRefreshToken) }
        client.dayly.session.onSignOut { user in cleared.withLock { $0.append(user) } }
        await #expect(throws: DaylyError.signedOut) { try await client.dayly.profile.get() }
        client.store.session = .numbered(3, for: .bob)
        #expect(try await client.dayly.auth.user == .bob)
        client.store.session = nil
        #expect(try await client.dayly.auth.user == nil)
        try await soon { cleared.withLock { $0 } == [User.ada.id, User.bob.id] }
    }

    /// Guard: the end of a session deletes nothing that the next user has queued (`UploadQueue.clear`,
    /// `PhoneSyncFolder.clear`)
    @Test("a process that notices the next user late leaves what that user has queued in another process")
    func clearedByOwner() async throws {
        let client = try ScriptedClient { _ in throw ClientSessionTests.offline }
        #expect(try await client.dayly.auth.user == .ada)
        client.store.session = .numbered(3, for: .bob)
        let other = client.anotherProcess()
        let ids = try await other.uploads.enqueue(photo: Data("a picture".utf8), groups: [.numbered(9)])

        let isCleared = Locked(false)
        client.dayly.session.onSignOut { _ in isCleared.withLock { $0 = true } }
        #expect(try await client.dayly.auth.user == .bob)
        try await soon { isCleared.withLock { $0 } }
        let next = client.anotherProcess()
        #expect(await next.uploads.items.first { _ in true }?.map(\.id) == ids)
    }

    @Test("deleting the account signs the device out")
    func deletedAccount() async throws {
        let client = try ScriptedClient { request in
            request.method == .delete ? .done : Self.exchanging(request)
        }
        var events = client.dayly.auth.signInEvents.makeAsyncIterator()
        _ = await events.next()
        try await client.dayly.profile.deleteAccount()
        #expect(await events.next() == .signedOut(.accountDeleted))
        #expect(client.store.session == nil)
    }

    @Test("signing in replaces a session: the old one ends at the service, and its user's data go")
    func replaced() async throws {
        let cleared = Locked<[ResourceID]>([])
        let client = try ScriptedClient { request in
            request.url.path == "/v1/auth/verify"
                ? .json(TokenResponse.numbered(7, for: .bob, isNewUser: true)) : .done
        }
        client.dayly.session.onSignOut { user in cleared.withLock { $0.append(user) } }
        let signIn = try await client.dayly.auth.signIn(.numbered(9), code: "123456")
        #expect(signIn == SignIn(user: .bob, isNewUser: true))
        #expect(client.store.session == .numbered(7, for: .bob))
        #expect(client.transport.requests.last?.refreshToken == "refresh-0")
        #expect(cleared.withLock { $0 } == [User.ada.id])
    }
}
