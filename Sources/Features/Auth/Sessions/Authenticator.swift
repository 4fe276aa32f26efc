import FeatureKit
import HTTPKit
import Logging
import Postgres

/// Lets a call through when its access token is good and its session lives, and says whose call it is. One query, so
/// that signing out and deleting an account take effect at once.
package struct Authenticator: Sendable {
    private let postgres: PostgresClient
    private let tokens: AccessTokens
    private let callers: CallerLimits

    package init(postgres: PostgresClient, tokens: AccessTokens, callers: CallerLimits = CallerLimits()) {
        self.postgres = postgres
        self.tokens = tokens
        self.callers = callers
    }

    /// Waits for one of the user's places, before the database is asked anything about them.
    ///
    /// - Throws: 429 `rate_limited`.
    package func enter(_ user: UserID, isWrite: Bool, as kind: CallerLimits.Kind) async throws
        -> CallerLimits.Pass
    {
        try await callers.enter(user.rawValue, isWrite: isWrite, as: kind)
    }

    func verify(_ token: String) async -> VerifiedToken? { await tokens.verify(token) }

    /// Whether a session of that user still lives, for tokens that were given out to it.
    package func isLive(_ identity: Identity) async throws -> Bool {
        try await SessionStore.probe(
            postgres, SessionID(rawValue: identity.sessionID), of: UserID(rawValue: identity.userID)) != nil
    }

    /// Those of the sessions that live: for what goes on behind a call that was let through.
    package func live(among sessions: Set<SessionID>) async throws -> Set<SessionID> {
        try await SessionStore.live(postgres, among: Array(sessions))
    }

    /// Nil for a token that is not good, or no longer.
    func identity(of verified: VerifiedToken, logger: Logger) async throws -> Identity? {
        guard let probe = try await SessionStore.probe(postgres, verified.session, of: verified.user),
            verified.isValid(at: probe.now)
        else { return nil }
        if probe.useIsDue {
            do {
                try await SessionStore.noteUse(postgres, verified.session, of: verified.user)
            } catch {
                // Nice to know, not worth failing a call for.
                logger.debug(
                    "a session's use was not noted", metadata: ["error": "\(String(reflecting: error))"])
            }
        }
        return Identity(
            userID: verified.user.rawValue, sessionID: verified.session.rawValue,
            expiresIn: verified.timeLeft(at: probe.now))
    }
}
