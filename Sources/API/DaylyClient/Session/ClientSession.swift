import DaylyAPI
import Foundation

/// Keeps one device signed in.
///
/// - The store holds the refresh token, and every exchange reads it anew, because an extension of the app may have
///   exchanged it meanwhile. Memory holds the access token only.
/// - One exchange runs at a time, and all callers wait for its result.
/// - `generation` counts the sessions that this object has seen. An answer that belongs to an earlier one is dropped.
/// - Only `invalid_refresh_token` ends a session from outside. No failure of network, service or store does.
package actor ClientSession {
    /// An access token and the session that it belongs to.
    package struct Access: Sendable, Equatable {
        package let token: String
        package let generation: Int
        /// On the monotonic clock, as is `expiresAt`.
        let refreshAt: Duration
        let expiresAt: Duration
    }

    let store: any TokenStore
    let transport: RetryingTransport
    let requests: RequestBuilder
    nonisolated var clock: any ClientClock { transport.clock }

    var generation = 0
    /// The signed-in user, as far as this object has looked at the store.
    var user: User?
    var access: Access?
    var refreshing: Task<Result<Access, DaylyError>, Never>?

    // `ClientSession+Events` uses these.
    var hasLooked = false
    var looking: Task<Void, Never>?
    var whySignedOut = SignOutReason.notSignedIn
    let signIns = Locked<[@Sendable () async -> Void]>([])
    let cleanups = Locked<[@Sendable (ResourceID) async -> Void]>([])
    var observers: [UUID: AsyncStream<SignInEvent>.Continuation] = [:]

    package init(store: any TokenStore, transport: RetryingTransport, requests: RequestBuilder) {
        self.store = store
        self.transport = transport
        self.requests = requests
    }

    /// An access token that is valid now. It comes from an exchange when the time of the present one is nearly up.
    ///
    /// - Parameter rejected: a token that the service refused.
    package func accessToken(insteadOf rejected: String? = nil) async throws(DaylyError) -> Access {
        if let access, access.token != rejected, clock.monotonic < access.refreshAt { return access }
        let generation = generation
        let result = await (refreshing ?? beginRefresh()).value
        // A call that one user began is never sent as another.
        guard generation == self.generation else { throw .signedOut }
        switch result {
        case .success(let access): return access
        case .failure(let error):
            // While the service cannot be reached, a token that is still valid for some seconds may do.
            guard let access, access.token != rejected, clock.monotonic < access.expiresAt else {
                throw error
            }
            return access
        }
    }

    /// Whether the session of a token is still this device's. An answer that comes after its end is not wanted.
    package func isCurrent(_ access: Access) -> Bool { access.generation == generation }

    /// Reads the store, and notices that another process has signed out or has signed somebody else in.
    func look() throws(DaylyError) -> StoredSession? {
        let stored: StoredSession?
        do { stored = try store.read() } catch { throw .storageFailed }
        if let user, stored?.user.id != user.id, let ended = end(.changedElsewhere) {
            Task { await clear(ended) }
        }
        if let stored, user == nil {
            user = stored.user
            notify(.signedIn(stored.user))
            if hasLooked { Task { await followSignIn() } }
        } else if !hasLooked, stored == nil {
            notify(.signedOut(whySignedOut))
        }
        hasLooked = true
        return stored
    }

    // MARK: - The exchange of a refresh token

    private func beginRefresh() -> Task<Result<Access, DaylyError>, Never> {
        // First, because it may find another session in the store, which has a generation of its own.
        _ = try? look()
        let generation = generation
        // A task of its own: the caller who began it may be cancelled while others wait.
        let task = Task<Result<Access, DaylyError>, Never> {
            let result: Result<Access, DaylyError>
            do throws(DaylyError) {
                result = .success(try await refresh(generation))
            } catch {
                result = .failure(error)
            }
            if generation == self.generation { refreshing = nil }
            return result
        }
        refreshing = task
        return task
    }

    /// Exchanges the stored token. After a refusal the store is read again: another process may have been faster.
    private func refresh(_ generation: Int) async throws(DaylyError) -> Access {
        var refused: String?
        var attempt = 1
        while true {
            let stored = try look()
            guard generation == self.generation, let stored else { throw .signedOut }
            guard stored.refreshToken != refused else {
                await endByService()
                throw .signedOut
            }
            let began = clock.monotonic
            let request = try requests.request(
                .refresh, json: RefreshRequest(refreshToken: stored.refreshToken))
            let outcome = await transport.outcome(of: request)
            guard generation == self.generation else { throw .signedOut }
            if let pause = transport.pause(after: outcome, attempt: attempt) {
                try await transport.sleep(for: pause)
                attempt += 1
                continue
            }
            do {
                let response = try outcome.get()
                try request.check(response)
                return try keep(
                    ClientJSON.decode(from: response), insteadOf: stored.refreshToken, since: began)
            } catch {
                guard error.code == .invalidRefreshToken else { throw error }
                refused = stored.refreshToken
            }
        }
    }

    /// Stores the child, and only then lets its access token be used.
    private func keep(
        _ tokens: TokenResponse, insteadOf parent: String, since began: Duration
    ) throws(DaylyError) -> Access {
        let generation = generation
        let stored = try look()
        guard generation == self.generation else { throw .signedOut }
        // Where another process was faster, its token stays: it is this one or a child of it.
        if stored?.refreshToken == parent {
            // Where it cannot be written, the parent stays, and its next exchange gives the same child.
            try? store.write(StoredSession(refreshToken: tokens.refreshToken, user: tokens.user))
        }
        user = tokens.user
        return grant(tokens, since: began)
    }

    /// - Parameter began: when the request was sent, so that the token never lives longer here than at the service.
    func grant(_ tokens: TokenResponse, since began: Duration) -> Access {
        let lifetime = Duration.seconds(tokens.expiresIn)
        let margin = min(.seconds(30), lifetime / 10)
        let access = Access(
            token: tokens.accessToken, generation: generation, refreshAt: began + lifetime - margin,
            expiresAt: began + lifetime)
        self.access = access
        return access
    }

    private func endByService() async {
        try? store.remove()
        if let ended = end(.endedByService) { await clear(ended) }
    }
}
