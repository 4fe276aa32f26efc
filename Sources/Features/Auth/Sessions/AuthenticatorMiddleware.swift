import FeatureKit
import HTTPKit
import Hummingbird

extension Authenticator: RouterMiddleware {
    package typealias Context = AppContext

    package func handle(
        _ request: Request, context: AppContext, next: (Request, AppContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        let (identity, pass) = try await admit(request, context: context)
        // Release the place when the head of the answer is ready, so that an open stream does not hold one.
        defer { pass.release() }
        context.identity = identity
        return try await next(request, context)
    }

    /// Identifies the caller and takes a place among the caller's own requests. For routes that accept other tokens too and
    /// therefore are `.open`.
    ///
    /// - Throws: 401 `unauthorized`, 429 `rate_limited`.
    package func admit(
        _ request: Request, context: AppContext, as kind: CallerLimits.Kind = .call
    ) async throws -> (identity: Identity, pass: CallerLimits.Pass) {
        let verified = try await verifiedToken(of: request)
        let isWrite = request.method != .get && request.method != .head
        let pass = try await enter(verified.user, isWrite: isWrite, as: kind)
        guard let identity = try await identity(of: verified, logger: context.logger) else {
            throw Problem.invalidToken
        }
        return (identity, pass)
    }

    fileprivate func verifiedToken(of request: Request) async throws -> VerifiedToken {
        guard let token = Self.bearerToken(of: request) else { throw Problem.unauthorized }
        guard let verified = await verify(token) else { throw Problem.invalidToken }
        return verified
    }

    /// The token of the header field Authorization (RFC 6750, section 2.1). A token in any other place is ignored.
    package static func bearerToken(of request: Request) -> String? {
        let fields = request.headers[values: .authorization]
        guard fields.count == 1, let field = fields.first,
            let space = field.utf8.firstIndex(of: UInt8(ascii: " ")),
            field[..<space].lowercased() == "bearer"
        else { return nil }
        let token = field[field.utf8.index(after: space)...]
        return token.isEmpty ? nil : String(token)
    }
}

extension Authenticator: CallerAuthentication {
    package var identifying: Middleware { self }
    package var reading: Middleware { ReadAuthenticator(authenticator: self) }
}

/// Gives a handler its `Caller`, who is let in by the handler's own statement.
private struct ReadAuthenticator: RouterMiddleware {
    let authenticator: Authenticator

    func handle(
        _ request: Request, context: AppContext, next: (Request, AppContext) async throws -> Response
    ) async throws -> Response {
        let verified = try await authenticator.verifiedToken(of: request)
        let pass = try await authenticator.enter(verified.user, isWrite: false, as: .call)
        defer { pass.release() }
        var context = context
        context.caller = authenticator.caller(verified, logger: context.logger)
        return try await next(request, context)
    }
}

extension Problem {
    static var invalidToken: Problem {
        var problem = Problem.unauthorized
        problem.headers[.wwwAuthenticate] = #"Bearer error="invalid_token""#
        return problem
    }
}
