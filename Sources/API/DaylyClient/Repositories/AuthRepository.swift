import DaylyAPI
import Foundation

/// Signing in and out, and the sessions of other devices.
public struct AuthRepository: Sendable {
    let calls: ServiceCalls
    let deviceName: String?

    /// Sends a code to a phone number. The answer is the same for known and unknown numbers.
    ///
    /// While many strangers ask for codes, the service asks this device for some work first, which takes a moment.
    ///
    /// - Throws: ``DaylyError/invalidPhoneNumber``.
    public func requestVerification(phoneNumber: String) async throws(DaylyError) -> VerificationStarted {
        var body = VerificationRequest(phoneNumber: phoneNumber)
        // The price may rise while this device works.
        for _ in 1...2 {
            do throws(DaylyError) { return try await requestVerification(body) } catch {
                guard case .problem(let problem) = error,
                    let search = problem.challenge.flatMap(WorkSearch.init)
                else { throw error }
                body.proof = try await search.proof()
            }
        }
        return try await requestVerification(body)
    }

    private func requestVerification(
        _ body: VerificationRequest
    ) async throws(DaylyError) -> VerificationStarted {
        try ClientJSON.decode(from: try await calls.sendOpenly(.requestVerification, json: body))
    }

    /// Signs in with a code. From then on the device stays signed in until ``signOut()``.
    ///
    /// - Parameters:
    ///   - verification: from ``requestVerification(phoneNumber:)``.
    ///   - code: the six digits.
    ///   - firstName: for a new user.
    ///   - timeZone: for a new user; the device's unless given.
    /// - Throws: ``DaylyError/verificationFailed(attemptsRemaining:)``.
    public func signIn(
        _ verification: ResourceID, code: String, firstName: String? = nil,
        timeZone: String = TimeZone.current.identifier
    ) async throws(DaylyError) -> SignIn {
        let began = calls.session.clock.monotonic
        let generation = await calls.session.generation
        let body = VerifyRequest(
            verificationID: verification.description, code: code, firstName: firstName, timeZone: timeZone,
            deviceName: deviceName)
        let response = try await calls.sendOpenly(.verify, json: body)
        let tokens: TokenResponse = try ClientJSON.decode(from: response)
        do {
            let replaced = try await calls.session.begin(tokens, since: began, generation: generation)
            if let replaced { try? await logOut(replaced.refreshToken) }
        } catch {
            // A session that this device cannot keep must not live on at the service.
            try? await logOut(tokens.refreshToken)
            throw error
        }
        return SignIn(user: tokens.user, isNewUser: tokens.isNewUser ?? false)
    }

    /// Each sign-in and sign-out, after the present state. An app chooses its first screen by it.
    public var signInEvents: AsyncStream<SignInEvent> { calls.session.events }

    /// The user as the service last described them; nil when nobody is signed in. It needs no network.
    ///
    /// - Throws: ``DaylyError/storageFailed`` while the device's storage is locked.
    public var user: User? {
        get async throws(DaylyError) { try await calls.session.signedInUser() }
    }

    /// Exchanges the refresh token now. Apps need not call it: every call does, when the time has come.
    public func refresh() async throws(DaylyError) {
        _ = try await calls.session.accessToken(insteadOf: calls.session.access?.token)
    }

    /// Signs this device out, offline too, and deletes the user's photos and queued uploads from it. The service is told
    /// when it can be reached; otherwise the session ends there by its age.
    ///
    /// - Throws: ``DaylyError/storageFailed`` when the tokens could not be deleted: call it again.
    public func signOut() async throws(DaylyError) {
        guard let token = try await calls.session.signOut() else { return }
        try? await logOut(token)
    }

    /// The user's sessions: one for each device that is signed in.
    public func sessions() async throws(DaylyError) -> [SessionInfo] {
        let list: SessionList = try await calls.get(.listSessions)
        return list.sessions
    }

    /// Signs out every device but this one.
    public func endOtherSessions() async throws(DaylyError) {
        try await calls.perform(.endOtherSessions)
    }

    /// Signs out the device of one session.
    public func endSession(_ id: ResourceID) async throws(DaylyError) {
        try await calls.perform(.endSession, path: [id.description])
    }

    private func logOut(_ token: String) async throws(DaylyError) {
        _ = try await calls.sendOpenly(.logout, json: RefreshRequest(refreshToken: token))
    }
}

/// The result of signing in.
public struct SignIn: Sendable, Equatable {
    public let user: User
    public let isNewUser: Bool

    public init(user: User, isNewUser: Bool) {
        self.user = user
        self.isNewUser = isNewUser
    }
}
