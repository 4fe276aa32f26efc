import Foundation
import HTTPKit
import Logging
import Messaging
import Metrics
import Postgres
import RateLimiting

/// Signing in by a code, and the sessions that come of it.
package struct AuthService: Sendable {
    let postgres: PostgresClient
    let limits: RateLimits
    let tokens: AccessTokens
    let sms: SMSQueue
    let configuration: AuthConfiguration
    let keys: AuthKeys
    let numbers: PhoneNumberParser
    let timeZones: TimeZoneNames
    let onDelete: [DeletionHook]
    let exports: [UserDataExport]
    private let authLimits: AuthLimits

    /// Runs in the transaction that deletes an account, before its row goes: for what must not simply cascade.
    package typealias DeletionHook = @Sendable (PostgresTransaction, UserID) throws -> Void

    package init(
        postgres: PostgresClient, limits: RateLimits, tokens: AccessTokens, sms: SMSQueue,
        configuration: AuthConfiguration, onDelete: [DeletionHook] = [],
        exports: [UserDataExport] = []
    ) {
        self.postgres = postgres
        self.limits = limits
        self.tokens = tokens
        self.sms = sms
        self.configuration = configuration
        self.onDelete = onDelete
        self.exports = exports
        keys = AuthKeys(secret: configuration.secret)
        numbers = PhoneNumberParser(countries: configuration.countries)
        timeZones = TimeZoneNames(postgres: postgres)
        authLimits = AuthLimits(configuration: configuration)
    }

    /// Sends a code. Whether the number belongs to a user plays no part, so nothing about the answer can tell.
    func requestVerification(
        phoneNumber text: String, from address: ClientAddress?
    ) async throws -> StartedVerification {
        guard let number = numbers.parse(text) else { throw AuthError.invalidPhoneNumber }
        let id = VerificationID(.version7())
        let code = OneTimeCode.random()
        // The place in the queue comes first: where there is none, nothing is kept and nothing is counted.
        let place = try sms.reserve()
        let expiresAt = try await postgres.transaction { tx in
            let refusal =
                try limits.exceeded(tx, authLimits.failures(of: number))
                ?? limits.take(tx, authLimits.sending(to: number, from: address))
            if let refusal { throw refusal }
            return try VerificationStore.create(
                tx, id: id, number: number, codeHMAC: code.hmac(for: id, using: keys.codes),
                lifetime: configuration.codeLifetime)
        }
        let text = CodeMessage(host: configuration.host, androidHash: configuration.androidHash).text(
            for: code)
        place.send(
            SMSMessage(id: id.rawValue, to: number.rawValue, body: text), kind: .code,
            lifetime: configuration.codeLifetime)
        return StartedVerification(
            id: id, expiresAt: expiresAt, lifetime: configuration.codeLifetime,
            resendAfter: configuration.resendAfter)
    }

    /// Exchanges a code for a session.
    func verify(_ attempt: VerificationAttempt) async throws -> SignedIn {
        if let timeZone = attempt.timeZone { try await requireTimeZone(timeZone) }
        guard let uuid = UUID(uuidString: attempt.verificationID) else {
            throw AuthError.verificationFailed(attemptsRemaining: 0)
        }
        let outcome = try await postgres.transaction { tx in
            try decide(tx, VerificationID(uuid), attempt)
        }
        Counter(label: "dayly_verifications_total", dimensions: [("outcome", outcome.label)]).increment()
        switch outcome {
        case .refused(let error): throw error
        case .accepted(let user, let isNew, let session):
            return try await signedIn(user, session, isNew: isNew)
        }
    }

    /// An outcome, not an error: a wrong guess must be committed.
    private func decide(
        _ tx: PostgresTransaction, _ id: VerificationID, _ attempt: VerificationAttempt
    ) throws -> VerificationOutcome {
        guard let verification = try VerificationStore.lock(tx, id), verification.isOpen else {
            return .refused(.verificationFailed(attemptsRemaining: 0))
        }
        guard verification.attempts < configuration.codeAttempts else {
            return .refused(.tooManyAttempts(retryAfter: configuration.resendAfter))
        }
        let failures = authLimits.failures(of: verification.phoneNumber)
        // Somebody else's guesses do not shut out a code that was under way: its first guess still counts.
        if verification.attempts > 0, let refusal = try limits.exceeded(tx, failures) {
            return .refused(.rateLimited(retryAfter: refusal.retryAfter))
        }
        let code = OneTimeCode(text: attempt.code)
        guard code.matches(verification.codeHMAC, for: id, using: keys.codes) else {
            try VerificationStore.countAttempt(tx, id)
            try limits.count(tx, failures)
            let remaining = configuration.codeAttempts - verification.attempts - 1
            return .refused(.verificationFailed(attemptsRemaining: remaining))
        }
        try VerificationStore.markUsed(tx, id)
        let (user, isNew) = try UserStore.findOrCreate(
            tx, verification.phoneNumber, firstName: attempt.firstName, timeZone: attempt.timeZone)
        let session = try openSession(tx, user: user.id, deviceName: attempt.deviceName?.rawValue)
        return .accepted(user, isNew: isNew, session)
    }
}

/// What a code is presented with. The names are valid already.
struct VerificationAttempt: Sendable {
    let verificationID: String
    let code: String
    let firstName: DisplayName?
    let timeZone: String?
    let deviceName: DeviceName?
}

/// What is said about a code that is on its way.
struct StartedVerification: Sendable {
    let id: VerificationID
    let expiresAt: Date
    let lifetime: Duration
    let resendAfter: Duration
}

private enum VerificationOutcome: Sendable {
    case accepted(UserProfile, isNew: Bool, IssuedSession)
    case refused(AuthError)

    var label: String {
        switch self {
        case .accepted: "accepted"
        case .refused(.tooManyAttempts): "too_many_attempts"
        case .refused(.rateLimited): "rate_limited"
        case .refused: "failed"
        }
    }
}
