import HTTPKit
import Hummingbird
import Logging
import Postgres

/// Lets a call through when its access token is good and its session lives, and says whose call it is. One query, so
/// that signing out and deleting an account take effect at once.
package struct Authenticator: RouterMiddleware {
    package typealias Context = AppContext

    private let postgres: PostgresClient
    private let tokens: AccessTokens

    package init(postgres: PostgresClient, tokens: AccessTokens) {
        self.postgres = postgres
        self.tokens = tokens
    }

    package func handle(
        _ request: Request, context: AppContext, next: (Request, AppContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        context.identity = try await authenticate(request, context: context)
        return try await next(request, context)
    }

    /// Whose call it is, for routes that take other tokens beside the access token.
    ///
    /// - Throws: 401 `unauthorized`.
    package func authenticate(_ request: Request, context: AppContext) async throws -> Identity {
        guard let token = Self.bearerToken(of: request) else { throw Problem.unauthorized }
        guard let identity = try await identity(of: token, logger: context.logger) else {
            throw Problem.invalidToken
        }
        return identity
    }

    /// Whether a session of that user still lives, for tokens that were given out to it.
    package func isLive(_ identity: Identity) async throws -> Bool {
        try await SessionStore.probe(
            postgres, SessionID(rawValue: identity.sessionID), of: UserID(rawValue: identity.userID)) != nil
    }

    private func identity(of token: String, logger: Logger) async throws -> Identity? {
        guard let verified = await tokens.verify(token),
            let probe = try await SessionStore.probe(postgres, verified.session, of: verified.user),
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
        return Identity(userID: verified.user.rawValue, sessionID: verified.session.rawValue)
    }

    /// RFC 6750, section 2.1: the only place where a token is looked for.
    package static func bearerToken(of request: Request) -> String? {
        let fields = request.headers[values: .authorization]
        guard fields.count == 1, let parts = fields.first?.split(separator: " ", maxSplits: 1),
            parts.count == 2,
            parts[0].lowercased() == "bearer"
        else { return nil }
        return String(parts[1])
    }
}

extension Problem {
    static var invalidToken: Problem {
        var problem = Problem.unauthorized
        problem.headers[.wwwAuthenticate] = #"Bearer error="invalid_token""#
        return problem
    }
}
