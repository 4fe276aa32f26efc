import FeatureKit
import Foundation
import HTTPKit
import Logging
import Postgres

/// Identifies the caller of a request by its access token, and checks that their session is still live. It asks the
/// database for each request, so that signing out and deleting an account take effect at once. A call that only reads
/// asks in the same message as its own statement.
package struct Authenticator: Sendable {
    private let sessions: SessionStore
    private let tokens: AccessTokens
    private let callers: CallerLimits

    package init(postgres: PostgresClient, tokens: AccessTokens, callers: CallerLimits = CallerLimits()) {
        sessions = SessionStore(postgres: postgres)
        self.tokens = tokens
        self.callers = callers
    }

    /// Waits for a place among the user's own requests. Call it before the database is asked about the user.
    ///
    /// - Throws: 429 `rate_limited`.
    package func enter(_ user: UserID, isWrite: Bool, as kind: CallerLimits.Kind) async throws
        -> CallerLimits.Pass
    {
        try await callers.enter(user.rawValue, isWrite: isWrite, as: kind)
    }

    func verify(_ token: String) async -> VerifiedToken? { await tokens.verify(token) }

    /// Whether the session is still live. For other tokens that were issued to a session.
    package func isLive(_ identity: Identity) async throws -> Bool {
        try await sessions.probe(identity.session, of: identity.user).probe != nil
    }

    /// The sessions that are still live. For streams, which go on after their request was admitted.
    package func live(among sessions: Set<SessionID>) async throws -> Set<SessionID> {
        try await self.sessions.live(among: Array(sessions))
    }

    /// Nil when the token has expired or its session has ended.
    func identity(of verified: VerifiedToken, logger: Logger) async throws -> Identity? {
        guard let now = try await admit(verified, logger: logger)?.now else { return nil }
        return Identity(
            userID: verified.user.rawValue, sessionID: verified.session.rawValue,
            expiresIn: verified.timeLeft(at: now))
    }

    /// The holder of a token, whose session is checked with what they read.
    func caller(_ verified: VerifiedToken, logger: Logger) -> Caller {
        Caller(verified.user) { reading in
            guard let rows = try await admit(verified, reading: reading, logger: logger)?.rows else {
                throw Problem.invalidToken
            }
            return rows
        }
    }

    /// Nil when the token has expired or its session has ended. Otherwise PostgreSQL's time and the rows that were read.
    private func admit(
        _ verified: VerifiedToken, reading: Reading? = nil, logger: Logger
    ) async throws -> (now: Date, rows: [PostgresRow])? {
        let (probe, rows) = try await sessions.probe(verified.session, of: verified.user, then: reading)
        guard let probe, verified.isValid(at: probe.now) else { return nil }
        if probe.useIsDue { await recordUse(of: verified, logger: logger) }
        return (probe.now, rows)
    }

    private func recordUse(of verified: VerifiedToken, logger: Logger) async {
        do {
            try await sessions.recordUse(verified.session, of: verified.user)
        } catch {
            // The day of use is not important enough to fail the call.
            logger.debug(
                "the use of a session was not recorded",
                metadata: ["error": "\(String(reflecting: error))"])
        }
    }
}
