import ClientFixtures
import DaylyAPI
import DaylyClient
import DaylyClientTesting
import Foundation
import Testing

@Suite("A device's session")
struct ClientSessionTests {
    static let offline = TransportError("offline")

    /// Guard: one exchange of a token runs at a time, and no caller's end ends it
    /// (`ClientSession.beginRefresh`)
    @Test("twenty calls at once cause one exchange and share its token")
    func singleFlight() async throws {
        let door = Door()
        let client = try ScriptedClient { request in
            guard request.url.path == "/v1/auth/refresh" else { return .json(User.ada) }
            await door.pass()
            return .json(TokenResponse.numbered(1))
        }
        try await withThrowingTaskGroup(of: Void.self) { calls in
            for _ in 0..<20 { calls.addTask { _ = try await client.dayly.profile.get() } }
            try await soon { await door.visitors == 1 }
            try await Task.sleep(for: .milliseconds(50))
            await door.open()
            try await calls.waitForAll()
        }
        #expect(client.count("/v1/auth/refresh") == 1)
        #expect(client.transport.requests.compactMap(\.bearer).allSatisfy { $0 == "access-1" })
        #expect(client.count("/v1/users/me") == 20)
    }

    /// Guard: one exchange of a token runs at a time, and no caller's end ends it
    /// (`ClientSession.beginRefresh`)
    @Test("a caller who is cancelled does not cancel the exchange that others wait for")
    func cancelledCaller() async throws {
        let door = Door()
        let client = try ScriptedClient { request in
            guard request.url.path == "/v1/auth/refresh" else { return .json(User.ada) }
            await door.pass()
            if Task.isCancelled { throw TransportError.cancelled }
            return .json(TokenResponse.numbered(1))
        }
        let impatient = Task { try await client.dayly.profile.get() }
        try await soon { await door.visitors == 1 }
        let patient = Task { try await client.dayly.profile.get() }
        impatient.cancel()
        try await Task.sleep(for: .milliseconds(20))
        await door.open()
        #expect(try await patient.value == .ada)
        #expect(client.store.session == .numbered(1))
    }

    /// Guard: an answer of a session that has ended is dropped, of an exchange, a call and a sign-in
    /// (`ClientSession` (`generation`), `AuthorizedClient.authorized`)
    @Test("the answer of an exchange that comes after signing out is dropped")
    func lateAnswerAfterSignOut() async throws {
        let door = Door()
        let client = try ScriptedClient { request in
            guard request.url.path == "/v1/auth/refresh" else { return .done }
            await door.pass()
            return .json(TokenResponse.numbered(1))
        }
        let call = Task { try await client.dayly.profile.get() }
        try await soon { await door.visitors == 1 }
        try await client.dayly.auth.signOut()
        await door.open()
        await #expect(throws: DaylyError.signedOut) { try await call.value }
        #expect(client.store.session == nil)
        #expect(client.store.writes.isEmpty)
    }

    /// Guard: an answer of a session that has ended is dropped, of an exchange, a call and a sign-in
    /// (`ClientSession` (`generation`), `AuthorizedClient.authorized`)
    /// Guard: a call that one user began is never sent as another (`ClientSession.accessToken`)
    @Test("the answer of an exchange that comes after another sign-in is dropped")
    func lateAnswerAfterSignIn() async throws {
        let door = Door()
        let client = try ScriptedClient { request in
            switch request.url.path {
            case "/v1/auth/refresh":
                await door.pass()
                return .json(TokenResponse.numbered(1))
            case "/v1/auth/verify": return .json(TokenResponse.numbered(7, for: .bob, isNewUser: false))
            default: return .json(User.bob)
            }
        }
        let call = Task { try await client.dayly.profile.get() }
        try await soon { await door.visitors == 1 }
        _ = try await client.dayly.auth.signIn(.numbered(9), code: "123456")
        await door.open()
        await #expect(throws: DaylyError.signedOut) { try await call.value }
        #expect(client.store.session == .numbered(7, for: .bob))
        #expect(try await client.dayly.auth.user == .bob)
    }

    /// Guard: an answer of a session that has ended is dropped, of an exchange, a call and a sign-in
    /// (`ClientSession` (`generation`), `AuthorizedClient.authorized`)
    @Test("the answer of any call that comes after signing out is dropped")
    func lateAnswerOfACall() async throws {
        let door = Door()
        let client = try ScriptedClient { request in
            switch request.url.path {
            case "/v1/auth/refresh": return .json(TokenResponse.numbered(1))
            case "/v1/auth/logout": return .done
            default:
                await door.pass()
                return .json(GroupList(groups: []))
            }
        }
        let call = Task { try await client.dayly.groups.list() }
        try await soon { await door.visitors == 1 }
        try await client.dayly.auth.signOut()
        await door.open()
        await #expect(throws: DaylyError.signedOut) { try await call.value }
    }

    /// Guard: an answer of a session that has ended is dropped, of an exchange, a call and a sign-in
    /// (`ClientSession` (`generation`), `AuthorizedClient.authorized`)
    @Test("a sign-in that is answered after signing out is dropped and ended at the service")
    func lateSignIn() async throws {
        let door = Door()
        let client = try ScriptedClient { request in
            guard request.url.path == "/v1/auth/verify" else { return .done }
            await door.pass()
            return .json(TokenResponse.numbered(7, for: .bob, isNewUser: true))
        }
        let call = Task { try await client.dayly.auth.signIn(.numbered(9), code: "123456") }
        try await soon { await door.visitors == 1 }
        try await client.dayly.auth.signOut()
        await door.open()
        await #expect(throws: DaylyError.cancelled) { try await call.value }
        #expect(client.store.session == nil)
        #expect(client.transport.requests.last?.url.path == "/v1/auth/logout")
        #expect(client.transport.requests.last?.refreshToken == "refresh-7")
    }

    /// Guard: each exchange presents the token that the store has now, after a refusal too
    /// (`ClientSession.refresh`)
    @Test("after invalid_refresh_token the store is read again, and a newer token of another process is used")
    func newerTokenInTheStore() async throws {
        let store = Locked<MemoryTokenStore?>(nil)
        let client = try ScriptedClient { request in
            switch request.refreshToken {
            case "refresh-0":
                // The app's extension exchanged it while this request was on its way.
                store.withLock { $0?.session = .numbered(5) }
                return .problem(401, .invalidRefreshToken)
            case "refresh-5": return .json(TokenResponse.numbered(6))
            default: return .json(User.ada)
            }
        }
        store.withLock { $0 = client.store }
        #expect(try await client.dayly.profile.get() == .ada)
        #expect(client.store.session == .numbered(6))
        #expect(client.transport.requests.last?.bearer == "access-6")
    }

    /// Guard: each exchange presents the token that the store has now, after a refusal too
    /// (`ClientSession.refresh`)
    @Test("each exchange presents the token that the store has now")
    func rotatedByAnotherProcess() async throws {
        let client = try ScriptedClient { request in
            guard let token = request.refreshToken else { return .json(User.ada) }
            let number = Int(token.dropFirst("refresh-".count)) ?? 0
            return .json(TokenResponse.numbered(number + 1))
        }
        _ = try await client.dayly.profile.get()
        client.store.session = .numbered(8)
        client.clock.advance(by: .seconds(900))
        _ = try await client.dayly.profile.get()
        #expect(client.transport.requests.compactMap(\.refreshToken) == ["refresh-0", "refresh-8"])
        #expect(client.store.session == .numbered(9))
    }

    /// Guard: only `invalid_refresh_token` ends a session from outside (`ClientSession.refresh`)
    @Test("invalid_refresh_token for the token that the store still has ends the session")
    func endedByService() async throws {
        let client = try ScriptedClient { _ in .problem(401, .invalidRefreshToken) }
        var events = client.dayly.auth.signInEvents.makeAsyncIterator()
        #expect(await events.next() == .signedIn(.ada))
        await #expect(throws: DaylyError.signedOut) { try await client.dayly.profile.get() }
        #expect(await events.next() == .signedOut(.endedByService))
        #expect(client.store.session == nil)
    }

    /// Guard: only `invalid_refresh_token` ends a session from outside (`ClientSession.refresh`)
    @Test(
        "neither a failure of the network nor of the service signs anybody out",
        arguments: [0, 400, 401, 403, 408, 429, 500, 502, 503])
    func failures(status: Int) async throws {
        let isWell = Locked(false)
        let client = try ScriptedClient { request in
            guard request.url.path == "/v1/auth/refresh" else { return .json(User.ada) }
            if isWell.withLock({ $0 }) { return .json(TokenResponse.numbered(1)) }
            guard status > 0 else { throw Self.offline }
            // Some are problems, and some come from a proxy.
            return status % 2 == 0
                ? StubAnswer(TransportHead(status: status)) : .problem(status, "of_another_version")
        }
        for _ in 0..<3 { _ = try? await client.dayly.profile.get() }
        #expect(client.store.session == .numbered(0))
        #expect(try await client.dayly.auth.user == .ada)
        isWell.withLock { $0 = true }
        #expect(try await client.dayly.profile.get() == .ada, "the next call tries again")
        #expect(client.count("/v1/auth/refresh") == 4)
    }

    /// Guard: a store that cannot be read says nothing about who is signed in (`ClientSession.look`)
    @Test("a store that cannot be read signs nobody out, and says nothing about who is signed in")
    func lockedStore() async throws {
        let client = try ScriptedClient { request in
            request.refreshToken == nil ? .json(User.ada) : .json(TokenResponse.numbered(1))
        }
        client.store.refuse(reads: true)
        var events = client.dayly.auth.signInEvents.makeAsyncIterator()
        await #expect(throws: DaylyError.storageFailed) { try await client.dayly.profile.get() }
        client.store.refuse()
        #expect(try await client.dayly.profile.get() == .ada)
        #expect(await events.next() == .signedIn(.ada))
    }

    /// Guard: a device that could not tell at first who is signed in tells later (`ClientSession.lookAgain`)
    @Test("a start while the device is locked has its first event once the device is unlocked")
    func lockedStart() async throws {
        let client = try ScriptedClient { _ in .done }
        client.store.refuse(reads: true)
        var events = client.dayly.auth.signInEvents.makeAsyncIterator()
        try await soon { client.clock.sleepers == 1 }
        client.store.refuse()
        client.clock.advance(by: .seconds(15))
        #expect(await events.next() == .signedIn(.ada))
    }

    /// Guard: a sign-in replaces a record that cannot be read (`ClientSession.begin`)
    @Test("a record that cannot be read does not stand in the way of a sign-in")
    func unreadableRecord() async throws {
        let client = try ScriptedClient { _ in .json(TokenResponse.numbered(7, isNewUser: false)) }
        client.store.refuse(reads: true)
        _ = try await client.dayly.auth.signIn(.numbered(9), code: "123456")
        client.store.refuse()
        #expect(client.store.session == .numbered(7))
        #expect(try await client.dayly.auth.user == .ada)
    }

    /// Guard: a child is stored before its access token is used, and its parent stays where that fails
    /// (`ClientSession.keep`)
    @Test("the child is stored before its access token is used")
    func storedBeforeUse() async throws {
        let store = Locked<MemoryTokenStore?>(nil)
        let seen = Locked<[String]>([])
        let client = try ScriptedClient { request in
            guard request.refreshToken == nil else { return .json(TokenResponse.numbered(1)) }
            let stored = store.withLock { $0?.session?.refreshToken } ?? "none"
            seen.withLock { $0.append(stored) }
            return .json(User.ada)
        }
        store.withLock { $0 = client.store }
        _ = try await client.dayly.profile.get()
        #expect(seen.withLock { $0 } == ["refresh-1"])
    }

    /// Guard: a child is stored before its access token is used, and its parent stays where that fails
    /// (`ClientSession.keep`)
    @Test("a child that cannot be stored does not replace its parent, whose repetition gives it again")
    func unwritableChild() async throws {
        let client = try ScriptedClient { request in
            request.refreshToken == nil ? .json(User.ada) : .json(TokenResponse.numbered(1))
        }
        client.store.refuse(writes: true)
        #expect(try await client.dayly.profile.get() == .ada)
        client.store.refuse()
        client.clock.advance(by: .seconds(900))
        _ = try await client.dayly.profile.get()
        #expect(client.transport.requests.compactMap(\.refreshToken) == ["refresh-0", "refresh-0"])
        #expect(client.store.session == .numbered(1))
    }
}
