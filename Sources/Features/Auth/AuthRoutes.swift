import FeatureKit
import DaylyAPI
import HTTPKit
import Hummingbird
import Messaging
import RateLimiting

/// `/auth/…` and `/users/me`.
package struct AuthRoutes: Sendable {
    let auth: AuthService
    let authenticator: Authenticator

    package init(auth: AuthService, authenticator: Authenticator) {
        self.auth = auth
        self.authenticator = authenticator
    }

    /// - Parameter group: `/v1`, without an authenticator: the four calls that make or end a session are open.
    package func addRoutes(to group: RouterGroup<AppContext>) {
        group.post("auth/request-verification", use: requestVerification)
        group.post("auth/verify", use: verify)
        group.post("auth/refresh", use: refresh)
        group.post("auth/logout", use: logout)

        let signedIn = group.group().add(middleware: authenticator)
        signedIn.get("auth/sessions", use: listSessions)
        signedIn.delete("auth/sessions", use: endOtherSessions)
        signedIn.delete("auth/sessions/:id", use: endSession)
        signedIn.get("users/me", use: showUser)
        signedIn.patch("users/me", use: updateUser)
        signedIn.delete("users/me", use: deleteUser)
        signedIn.get("users/me/export", use: exportUser)
    }

    private func requestVerification(
        _ request: Request, _ context: AppContext
    ) async throws -> Reply<VerificationStarted> {
        let body = try await request.decodeJSON(VerificationRequest.self, context: context)
        let started = try await auth.requestVerification(
            phoneNumber: body.phoneNumber, from: context.clientAddress)
        return Reply(
            status: .accepted, headers: started.headers,
            VerificationStarted(
                verificationID: started.id.resourceID, expiresAt: started.expiresAt,
                expiresIn: started.lifetime.wholeSeconds, resendAfter: started.resendAfter.wholeSeconds))
    }

    private func verify(_ request: Request, _ context: AppContext) async throws -> Reply<TokenResponse> {
        let body = try await request.decodeJSON(VerifyRequest.self, context: context)
        let signedIn = try await auth.verify(VerificationAttempt(body), from: context.clientAddress)
        return Reply(headers: .unstored, TokenResponse(signedIn, isNewUser: signedIn.isNew))
    }

    private func refresh(_ request: Request, _ context: AppContext) async throws -> Reply<TokenResponse> {
        let body = try await request.decodeJSON(RefreshRequest.self, context: context)
        return Reply(headers: .unstored, TokenResponse(try await auth.refresh(body.refreshToken)))
    }

    private func logout(_ request: Request, _ context: AppContext) async throws -> HTTPResponse.Status {
        let body = try await request.decodeJSON(RefreshRequest.self, context: context)
        try await auth.logout(body.refreshToken)
        return .noContent
    }

    private func listSessions(_ request: Request, _ context: AppContext) async throws -> Reply<SessionList> {
        let caller = try context.requireIdentity()
        let sessions = try await auth.sessions(of: caller.user)
        return Reply(
            SessionList(sessions: sessions.map { SessionInfo($0, current: $0.id == caller.session) }))
    }

    private func endSession(_ request: Request, _ context: AppContext) async throws -> HTTPResponse.Status {
        try await auth.endSession(context.requireID("id"), of: context.requireUser())
        return .noContent
    }

    private func endOtherSessions(
        _ request: Request, _ context: AppContext
    ) async throws -> HTTPResponse.Status {
        try await auth.endOtherSessions(of: context.requireIdentity())
        return .noContent
    }

    private func showUser(_ request: Request, _ context: AppContext) async throws -> Reply<User> {
        Reply(User(try await auth.user(context.requireUser())))
    }

    private func updateUser(_ request: Request, _ context: AppContext) async throws -> Reply<User> {
        let caller = try context.requireUser()
        let body = try await request.decodeJSON(UserPatch.self, context: context)
        return Reply(User(try await auth.update(caller, ProfileChange(body))))
    }

    private func deleteUser(_ request: Request, _ context: AppContext) async throws -> HTTPResponse.Status {
        try await auth.delete(context.requireUser())
        return .noContent
    }

    private func exportUser(_ request: Request, _ context: AppContext) async throws -> Reply<JSONValue> {
        Reply(headers: .download("dayly-export.json"), try await auth.export(context.requireUser()))
    }
}

extension Authenticator: RouterMiddleware {
    package typealias Context = AppContext

    package func handle(
        _ request: Request, context: AppContext, next: (Request, AppContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        let (identity, pass) = try await admit(request, context: context)
        // With the answer's head: a stream that goes on behind it holds no place.
        defer { pass.release() }
        context.identity = identity
        return try await next(request, context)
    }

    /// Identifies the caller and takes a place among the caller's own requests, for routes that take other tokens
    /// beside the access token.
    ///
    /// - Throws: 401 `unauthorized`, 429 `rate_limited`.
    package func admit(
        _ request: Request, context: AppContext, as kind: CallerLimits.Kind = .call
    ) async throws -> (identity: Identity, pass: CallerLimits.Pass) {
        guard let token = Self.bearerToken(of: request) else { throw Problem.unauthorized }
        guard let verified = await verify(token) else { throw Problem.invalidToken }
        let isWrite = request.method != .get && request.method != .head
        let pass = try await enter(verified.user, isWrite: isWrite, as: kind)
        guard let identity = try await identity(of: verified, logger: context.logger) else {
            throw Problem.invalidToken
        }
        return (identity, pass)
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

extension HTTPFields {
    /// RFC 6749, section 5.1: tokens are not for caches.
    fileprivate static let unstored: HTTPFields = [.cacheControl: "no-store"]

    /// RFC 6266: to be saved, not shown.
    fileprivate static func download(_ name: String) -> HTTPFields {
        var fields = unstored
        fields[.contentDisposition] = "attachment; filename=\"\(name)\""
        return fields
    }
}

extension VerificationAttempt {
    fileprivate init(_ body: VerifyRequest) throws {
        guard let code = OneTimeCode(typed: body.code) else {
            throw AuthError.invalid(pointer: "/code", rule: OneTimeCode.rule)
        }
        self.init(
            verificationID: body.verificationID, code: code,
            firstName: try body.firstName.map(DisplayName.requireFirstName), timeZone: body.timeZone,
            deviceName: try body.deviceName.map(DeviceName.require))
    }
}

extension ProfileChange {
    fileprivate init(_ body: UserPatch) throws {
        self.init(
            firstName: try body.firstName.map(DisplayName.requireFirstName), timeZone: body.timeZone,
            discoverable: body.discoverable,
            quiet: try QuietChange(from: body.quietFrom, to: body.quietTo))
    }
}

extension DeviceName {
    fileprivate static func require(_ text: String) throws -> DeviceName {
        do { return try DeviceName(text) } catch {
            throw AuthError.invalid(pointer: "/device_name", rule: error.rule)
        }
    }
}

extension DisplayName {
    fileprivate static func requireFirstName(_ text: String) throws -> DisplayName {
        do { return try DisplayName(checking: text) } catch {
            throw AuthError.invalid(pointer: "/first_name", rule: error.rule)
        }
    }
}

extension TokenResponse {
    fileprivate init(_ signedIn: SignedIn, isNewUser: Bool? = nil) {
        self.init(
            accessToken: signedIn.accessToken, refreshToken: signedIn.refreshToken,
            expiresIn: signedIn.lifetime.wholeSeconds, user: User(signedIn.user), isNewUser: isNewUser)
    }
}

extension User {
    fileprivate init(_ user: UserProfile) {
        self.init(
            id: user.id.resourceID, phoneNumber: user.phoneNumber.rawValue, firstName: user.firstName,
            timeZone: user.timeZone, discoverable: user.discoverable, quietFrom: user.quietHours?.from,
            quietTo: user.quietHours?.to, createdAt: user.createdAt)
    }
}

extension SessionInfo {
    fileprivate init(_ session: Session, current: Bool) {
        self.init(
            id: session.id.resourceID, deviceName: session.deviceName, createdAt: session.createdAt,
            lastUsedAt: session.lastUsedAt, current: current)
    }
}

extension AuthError: ProblemConvertible {
    package var problem: Problem {
        switch self {
        case .invalidPhoneNumber:
            Problem(
                .badRequest, .invalidPhoneNumber, "The phone number cannot be used.",
                extensions: [
                    "errors": [
                        [
                            "pointer": "/phone_number",
                            "detail": "must be a number with its country code, such as +49 151 23456789",
                        ]
                    ]
                ])
        case .invalid(let pointer, let rule): .invalidRequest(pointer: pointer, detail: rule)
        case .verificationFailed(let remaining):
            Problem(
                .unauthorized, .verificationFailed, "The code is wrong, used or expired.",
                extensions: ["attempts_remaining": .int(remaining)])
        case .tooManyAttempts(let retryAfter):
            Problem(
                .tooManyRequests, .tooManyAttempts, "This code was tried too often. Ask for a new one.",
                retryAfter: retryAfter)
        case .rateLimited(let refusal): refusal.problem
        case .overloaded: .overloaded()
        case .invalidRefreshToken:
            Problem(.unauthorized, .invalidRefreshToken, "The refresh token is not valid. Sign in again.")
        case .userGone: .invalidToken
        case .sessionNotFound: .notFound
        case .timeZoneChangedRecently(let retryAt):
            Problem(
                .conflict, .timeZoneChangedRecently, "The time zone can be changed once in 24 hours.",
                extensions: ["retry_at": .dateRoundedUp(retryAt)])
        }
    }
}

extension RateLimited: ProblemConvertible {
    /// Limits that several callers share. An answer does not name them.
    private static let shared = [
        "messages.", "code.prefix.", "code.block.", "code.site.", "code.network.", "guess.minute",
    ]

    package var problem: Problem {
        guard !Self.shared.contains(where: scope.hasPrefix) else {
            return .rateLimited(retryAfter: retryAfter)
        }
        return .rateLimited(
            RateLimitFields(policy: scope, quota: limit, window: window, remaining: 0, reset: retryAfter))
    }
}

extension StartedVerification {
    /// The pause until the next code, the same for every number.
    fileprivate var headers: HTTPFields {
        var headers = HTTPFields()
        if let pause {
            RateLimitFields(
                policy: pause.scope, quota: pause.limit, window: pause.window, remaining: 0,
                reset: pause.window
            ).add(to: &headers)
        }
        return headers
    }
}

extension SMSQueueFull: ProblemConvertible {
    package var problem: Problem { .overloaded() }
}

extension Duration {
    fileprivate var wholeSeconds: Int { Int(components.seconds) }
}
