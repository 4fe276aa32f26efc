import DaylyAPI
import FeatureKit
import HTTPKit
import Hummingbird
import Messaging
import RateLimiting

/// `/v1/auth/…` and `/v1/users/me`.
struct AuthRoutes: Sendable {
    let auth: AuthService
    let browsers: BrowserSessions

    var routes: [Route] {
        [
            Route(.post, "auth/request-verification", .open, use: requestVerification),
            Route(.post, "auth/verify", .open, use: verify),
            Route(.post, "auth/refresh", .open, use: refresh),
            Route(.post, "auth/logout", .open, .erases, use: logout),
            Route(.get, "auth/sessions", use: listSessions),
            Route(.delete, "auth/sessions", .erases, use: endOtherSessions),
            Route(.delete, "auth/sessions/:id", .erases, use: endSession),
            Route(.get, "users/me", .reads, use: showUser),
            Route(.patch, "users/me", use: updateUser),
            Route(.delete, "users/me", .erases, use: deleteUser),
            Route(.get, "users/me/export", use: exportUser),
        ]
    }

    private func requestVerification(
        _ request: Request, _ context: AppContext
    ) async throws -> Reply<VerificationStarted> {
        let body = try await request.decodeJSON(VerificationRequest.self, context: context)
        let started = try await auth.requestVerification(
            phoneNumber: body.phoneNumber, proof: body.proof, from: context.clientAddress)
        return Reply(
            status: .accepted, headers: started.headers,
            VerificationStarted(
                verificationID: started.id.resourceID, expiresAt: started.expiresAt,
                expiresIn: started.lifetime.wholeSeconds, resendAfter: started.resendAfter.wholeSeconds))
    }

    private func verify(_ request: Request, _ context: AppContext) async throws -> TokenReply {
        let isBrowser = try browsers.isAsked(by: request)
        let body = try await request.decodeJSON(VerifyRequest.self, context: context)
        let signedIn = try await auth.verify(VerificationAttempt(body), from: context.clientAddress)
        return reply(TokenResponse(signedIn, isNewUser: signedIn.isNew), toBrowser: isBrowser)
    }

    private func refresh(_ request: Request, _ context: AppContext) async throws -> TokenReply {
        guard try browsers.isAsked(by: request) else {
            let body = try await request.decodeJSON(RefreshRequest.self, context: context)
            return reply(TokenResponse(try await auth.refresh(body.refreshToken)), toBrowser: false)
        }
        let signedIn = try await browsers.removingIfRefused {
            try await auth.refresh(browsers.token(of: request))
        }
        return reply(TokenResponse(signedIn), toBrowser: true)
    }

    private func reply(_ tokens: TokenResponse, toBrowser isBrowser: Bool) -> TokenReply {
        let lifetime = auth.configuration.refreshTokenLifetime
        return TokenReply(
            tokens: tokens,
            cookie: isBrowser ? browsers.cookie(tokens.refreshToken, lifetime: lifetime) : nil)
    }

    private func logout(_ request: Request, _ context: AppContext) async throws -> Response {
        guard try browsers.isAsked(by: request) else {
            let body = try await request.decodeJSON(RefreshRequest.self, context: context)
            try await auth.logout(body.refreshToken)
            return Response(status: .noContent)
        }
        try await auth.logout(browsers.token(of: request))
        return browsers.signedOut
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
        Reply(User(try await UserStore.require(try context.requireCaller())))
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

extension HTTPFields {
    /// The client should save the answer, not show it (RFC 6266).
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
                .badRequest, .invalidPhoneNumber, "This phone number cannot be used.",
                extensions: [
                    "errors": [
                        ["pointer": "/phone_number", "detail": .string(PhoneNumberParser.rule)]
                    ]
                ])
        case .invalid(let pointer, let rule): .invalidRequest(pointer: pointer, detail: rule)
        case .verificationFailed(let remaining):
            Problem(
                .unauthorized, .verificationFailed, "The code is wrong, used or expired.",
                extensions: ["attempts_remaining": .int(remaining)])
        case .tooManyAttempts(let retryAfter):
            Problem(
                .tooManyRequests, .tooManyAttempts,
                "This code was tried too often. Please request a new one.",
                retryAfter: retryAfter)
        case .rateLimited(let refusal): refusal.problem
        case .workNeeded(let refusal, let challenge): refusal.problem(with: challenge)
        case .signInContended: .overloaded()
        case .invalidRefreshToken:
            Problem(
                .unauthorized, .invalidRefreshToken, "The refresh token is not valid. Please sign in again.")
        case .userGone: .invalidToken
        case .sessionNotFound: .notFound
        case .timeZoneChangedRecently(let retryAt):
            Problem(
                .conflict, .timeZoneChangedRecently, "You can change your time zone once in 24 hours.",
                extensions: ["retry_at": .dateRoundedUp(retryAt)])
        }
    }
}

extension RateLimited {
    fileprivate func problem(with challenge: WorkChallenge) -> Problem {
        var problem = problem
        problem.extensions["challenge"] = [
            "token": .string(challenge.token), "bytes": .int(challenge.bytes), "bits": .int(challenge.bits),
            "count": .int(challenge.count),
        ]
        return problem
    }
}

extension StartedVerification {
    /// The pause until the next code. It is the same for every number.
    fileprivate var headers: HTTPFields {
        var headers = HTTPFields()
        if let pause {
            RateLimitFields(
                policy: pause.scope.name, quota: pause.limit, window: pause.window, remaining: 0,
                reset: pause.window
            ).add(to: &headers)
        }
        return headers
    }
}

extension Duration {
    fileprivate var wholeSeconds: Int { Int(components.seconds) }
}
