import DaylyAPI
import Foundation

/// Beginning, ending and watching a session.
extension ClientSession {
    /// Keeps the tokens of a sign-in.
    ///
    /// - Parameters:
    ///   - began: when the request was sent.
    ///   - generation: the value of ``generation`` then. If it has changed, the answer is dropped.
    /// - Returns: the session that this one replaces.
    package func begin(
        _ tokens: TokenResponse, since began: Duration, generation: Int
    ) async throws(DaylyError) -> StoredSession? {
        // A record that cannot be read is replaced; a store that is locked refuses the writing as well.
        let replaced = try? look()
        guard generation == self.generation else { throw .cancelled }
        do {
            try store.write(StoredSession(refreshToken: tokens.refreshToken, user: tokens.user))
        } catch {
            throw .storageFailed
        }
        let ended = user?.id == tokens.user.id ? nil : end(.byUser)
        self.generation += 1
        refreshing = nil
        user = tokens.user
        hasLooked = true
        _ = grant(tokens, since: began)
        notify(.signedIn(tokens.user))
        if let ended { await clear(ended) }
        await followSignIn()
        return replaced
    }

    /// Ends the session on this device, whether the service can be reached or not.
    ///
    /// - Returns: the refresh token, which the service is still to be told of.
    package func signOut(_ reason: SignOutReason = .byUser) async throws(DaylyError) -> String? {
        let stored = try? look()
        let ended = end(reason)
        let isRemoved: Bool
        do {
            try store.remove()
            isRemoved = true
        } catch {
            isRemoved = false
        }
        if let ended { await clear(ended) }
        guard isRemoved else { throw .storageFailed }
        return stored?.refreshToken
    }

    /// Keeps a changed profile.
    package func update(_ user: User) throws(DaylyError) {
        guard let stored = try look(), stored.user.id == user.id else { return }
        self.user = user
        try? store.write(StoredSession(refreshToken: stored.refreshToken, user: user))
    }

    /// The signed-in user; nil when nobody is.
    package func signedInUser() throws(DaylyError) -> User? {
        _ = try look()
        return user
    }

    /// Registers what is to be deleted with a session: everything that belongs to this user.
    package nonisolated func onSignOut(_ cleanup: @escaping @Sendable (ResourceID) async -> Void) {
        cleanups.withLock { $0.append(cleanup) }
    }

    /// Registers what begins again with a session.
    package nonisolated func onSignIn(_ action: @escaping @Sendable () async -> Void) {
        signIns.withLock { $0.append(action) }
    }

    /// Changes of who is signed in, from the present state on.
    package nonisolated var events: AsyncStream<SignInEvent> {
        AsyncStream { observer in
            let id = UUID()
            observer.onTermination = { _ in Task { await self.forget(id) } }
            Task { await self.register(observer, id) }
        }
    }

    private func register(_ observer: AsyncStream<SignInEvent>.Continuation, _ id: UUID) {
        if hasLooked { observer.yield(user.map { .signedIn($0) } ?? .signedOut(whySignedOut)) }
        observers[id] = observer
        _ = try? look()
        if !hasLooked, looking == nil { looking = Task { await lookAgain() } }
    }

    /// A device that is locked tells later.
    private func lookAgain() async {
        while !hasLooked, !observers.isEmpty {
            guard (try? await clock.sleep(for: .seconds(15))) != nil else { break }
            _ = try? look()
        }
        looking = nil
    }

    private func forget(_ id: UUID) {
        observers[id] = nil
    }

    func notify(_ event: SignInEvent) {
        for observer in observers.values { observer.yield(event) }
    }

    /// - Returns: the user whose session ended; nil when nobody was signed in.
    func end(_ reason: SignOutReason) -> ResourceID? {
        guard let ended = user else { return nil }
        generation += 1
        user = nil
        access = nil
        refreshing = nil
        whySignedOut = reason
        notify(.signedOut(reason))
        return ended.id
    }

    func clear(_ user: ResourceID) async {
        for cleanup in cleanups.withLock({ $0 }) { await cleanup(user) }
    }

    func followSignIn() async {
        for action in signIns.withLock({ $0 }) { await action() }
    }
}
