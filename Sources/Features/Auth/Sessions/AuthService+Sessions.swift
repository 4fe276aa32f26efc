import Crypto
import FeatureKit
import Foundation
import HTTPKit
import Metrics
import Postgres

/// A session with its newest refresh token, and PostgreSQL's time.
struct IssuedSession: Sendable {
    let id: SessionID
    let refreshToken: RefreshToken
    let now: Date
}

/// The answer to a client that has signed in or refreshed its tokens.
struct SignedIn: Sendable {
    let accessToken: String
    let refreshToken: String
    let lifetime: Duration
    let user: UserProfile
    let isNew: Bool
}

extension AuthService {
    func openSession(_ tx: PostgresTransaction, user: UserID, deviceName: String?) throws -> IssuedSession {
        let id = SessionID(.version7())
        let nonce = SymmetricKey(size: .bits256).withUnsafeBytes { Array($0) }
        let now = try sessionStore.create(
            tx, id: id, user: user, deviceName: deviceName, nonce: nonce,
            lifetime: configuration.refreshTokenLifetime)
        let token = RefreshToken(session: id, generation: 0, nonce: nonce, key: keys.refreshTokens)
        return IssuedSession(id: id, refreshToken: token, now: now)
    }

    func signedIn(_ user: UserProfile, _ session: IssuedSession, isNew: Bool) async throws -> SignedIn {
        SignedIn(
            accessToken: try await tokens.issue(user: user.id, session: session.id, now: session.now),
            refreshToken: session.refreshToken.text, lifetime: tokens.lifetime, user: user, isNew: isNew)
    }

    /// Exchanges a refresh token for its child. The parent of the newest token gets the same child again until somebody
    /// uses the child, so that a lost answer, a second browser tab or a phone in a tunnel does not sign the user out. An
    /// older token has been stolen or copied, and ends the session.
    func refresh(_ text: String) async throws -> SignedIn {
        guard let token = RefreshToken(text) else { throw AuthError.invalidRefreshToken }
        let outcome = try await postgres.transaction { tx in try exchange(tx, token) }
        Counter(label: "dayly_refreshes_total", dimensions: [("outcome", outcome.label)]).increment()
        guard case .exchanged(let user, let session) = outcome else { throw AuthError.invalidRefreshToken }
        return try await signedIn(user, session, isNew: false)
    }

    /// Ends the session of the newest token or of its parent. Any other text has no effect, and the answer is the same.
    func logout(_ text: String) async throws {
        guard let token = RefreshToken(text) else { return }
        try await postgres.transaction { tx in
            guard let session = try sessionStore.lockIfPresent(tx, token.session),
                token.isAuthentic(nonce: session.nonce, key: keys.refreshTokens),
                token.generation >= session.generation || token.generation + 1 == session.generation
            else { return }
            try sessionStore.end(tx, [session.id])
        }
    }

    func sessions(of user: UserID) async throws -> [Session] {
        try await sessionStore.list(of: user)
    }

    func endSession(_ id: SessionID, of user: UserID) async throws {
        try await postgres.transaction { tx in
            // The common order of locks: a deletion of the account begins with its row, too.
            _ = try users.requireLocked(tx, user)
            guard try !evict(tx, sessionStore.lockLive(tx, of: user, only: id)).isEmpty else {
                throw AuthError.sessionNotFound
            }
        }
    }

    /// Ends all sessions of the caller but the calling one.
    func endOtherSessions(of caller: Identity) async throws {
        try await postgres.transaction { tx in
            _ = try users.requireLocked(tx, caller.user)
            try evict(tx, sessionStore.lockLive(tx, of: caller.user).filter { $0 != caller.session })
        }
    }

    /// Ends sessions whose rows are locked, on behalf of somebody else than their devices.
    @discardableResult
    private func evict(_ tx: PostgresTransaction, _ sessions: [SessionID]) throws -> [SessionID] {
        guard !sessions.isEmpty else { return [] }
        for hook in onEviction { try hook(tx, sessions) }
        try sessionStore.end(tx, sessions)
        return sessions
    }

    /// Returns an outcome instead of throwing, because the end of a session must be committed.
    private func exchange(_ tx: PostgresTransaction, _ token: RefreshToken) throws -> RefreshOutcome {
        guard let session = try sessionStore.lockIfPresent(tx, token.session),
            token.isAuthentic(nonce: session.nonce, key: keys.refreshTokens)
        else { return .invalid }
        guard session.isLive else {
            // A client forgets a session that it is told to be over.
            try tx.requireAgreed(session.now)
            return .invalid
        }
        // An authentic token of a higher generation was issued before the database was restored from a backup.
        let isNewest = token.generation >= session.generation
        // Using the child moves the session on by one generation.
        let isRepeat = token.generation + 1 == session.generation
        guard isNewest || isRepeat else {
            try evict(tx, [session.id])
            return .reused
        }
        if isNewest {
            try sessionStore.rotate(
                tx, session.id, from: token.generation, lifetime: configuration.refreshTokenLifetime)
            try users.recordActivity(tx, of: session.userID)
        }
        guard let user = try users.find(tx, session.userID) else { return .invalid }
        let child = RefreshToken(
            session: session.id, generation: isNewest ? token.generation + 1 : session.generation,
            nonce: session.nonce, key: keys.refreshTokens)
        return .exchanged(user, IssuedSession(id: session.id, refreshToken: child, now: session.now))
    }
}

private enum RefreshOutcome: Sendable {
    case exchanged(UserProfile, IssuedSession)
    case invalid
    case reused

    var label: String {
        switch self {
        case .exchanged: "exchanged"
        case .invalid: "invalid"
        case .reused: "reused"
        }
    }
}
