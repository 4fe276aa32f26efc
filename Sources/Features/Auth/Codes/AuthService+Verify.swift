import FeatureKit
import Foundation
import HTTPKit
import Logging
import Metrics
import Postgres
import RateLimiting

/// A code that a client presents, with the profile of a new user. The code has six digits, and the names are already
/// checked.
struct VerificationAttempt: Sendable {
    let verificationID: String
    let code: OneTimeCode
    let firstName: DisplayName?
    var timeZone: String?
    let deviceName: DeviceName?
}

extension AuthService {
    /// Exchanges a code for a session.
    func verify(_ attempt: VerificationAttempt, from address: ClientAddress?) async throws -> SignedIn {
        var attempt = attempt
        attempt.timeZone = try await requireTimeZone(attempt.timeZone)
        let outcome = try await outcome(of: attempt, from: address)
        Counter(label: "dayly_verifications_total", dimensions: [("outcome", outcome.label)]).increment()
        switch outcome {
        case .refused(let error): throw error
        case .accepted(let user, let isNew, let session):
            return try await signedIn(user, session, isNew: isNew)
        }
    }

    /// Checks without locks first, so that a refusal is cheap. An attempt that passes is checked again under the row
    /// lock.
    ///
    /// A paused number is reported as paused even when the code has expired. Otherwise the ordinary answer "wrong code"
    /// would suggest that the service had considered the guess.
    private func outcome(
        of attempt: VerificationAttempt, from address: ClientAddress?
    ) async throws -> VerificationOutcome {
        guard let id = UUID(uuidString: attempt.verificationID).map(VerificationID.init(_:)),
            let verification = try await verifications.find(id)
        else { return .refused(.verificationFailed(attemptsRemaining: 0)) }
        if verification.isOpen, verification.attempts >= configuration.codeAttempts { return tooManyAttempts }
        if let refusal = try await guesses.refusal(of: verification.target, from: address) {
            return .refused(.rateLimited(refusal))
        }
        guard verification.isOpen else { return .refused(.verificationFailed(attemptsRemaining: 0)) }
        return try await postgres.transaction { tx in try decide(tx, id, attempt, from: address) }
    }

    /// Returns an outcome instead of throwing, because the transaction of a wrong guess must be committed.
    private func decide(
        _ tx: PostgresTransaction, _ id: VerificationID, _ attempt: VerificationAttempt,
        from address: ClientAddress?
    ) throws -> VerificationOutcome {
        guard let verification = try verifications.lockIfPresent(tx, id), verification.isOpen else {
            return .refused(.verificationFailed(attemptsRemaining: 0))
        }
        guard verification.attempts < configuration.codeAttempts else { return tooManyAttempts }
        if let refusal = try guesses.refusal(tx, of: verification.target, from: address) {
            return .refused(.rateLimited(refusal))
        }
        guard attempt.code.matches(verification.codeHMAC, for: id, using: keys.codes) else {
            try verifications.countAttempt(tx, id)
            try guesses.countFailure(tx, verification.target, from: address)
            let remaining = configuration.codeAttempts - verification.attempts - 1
            return .refused(.verificationFailed(attemptsRemaining: remaining))
        }
        try verifications.markUsed(tx, id)
        let (user, isNew) = try users.findOrCreate(
            tx, verification.phoneNumber, firstName: attempt.firstName, timeZone: attempt.timeZone)
        let session = try openSession(tx, user: user.id, deviceName: attempt.deviceName?.rawValue)
        try firewall.recordVerified(tx, verification, from: address)
        if verification.isReview {
            logger.notice("a reviewer signed in", metadata: ["verification": "\(id.rawValue)"])
        }
        return .accepted(user, isNew: isNew, session)
    }

    private var tooManyAttempts: VerificationOutcome {
        .refused(.tooManyAttempts(retryAfter: configuration.resendAfter))
    }
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
