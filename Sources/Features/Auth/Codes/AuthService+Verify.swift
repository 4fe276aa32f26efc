import FeatureKit
import Foundation
import HTTPKit
import Logging
import Metrics
import Postgres
import RateLimiting

/// A code with everything that its client presents beside it. The code has six digits, and the names are valid
/// already.
struct VerificationAttempt: Sendable {
    let verificationID: String
    let code: OneTimeCode
    let firstName: DisplayName?
    let timeZone: String?
    let deviceName: DeviceName?
}

extension AuthService {
    /// Exchanges a code for a session.
    func verify(_ attempt: VerificationAttempt, from address: ClientAddress?) async throws -> SignedIn {
        if let timeZone = attempt.timeZone { try await requireTimeZone(timeZone) }
        let outcome = try await outcome(of: attempt, from: address)
        Counter(label: "dayly_verifications_total", dimensions: [("outcome", outcome.label)]).increment()
        switch outcome {
        case .refused(let error): throw error
        case .accepted(let user, let isNew, let session):
            return try await signedIn(user, session, isNew: isNew)
        }
    }

    /// What cannot be heard is refused by reading alone; what can is judged once more, under lock. Whose number is
    /// paused is told so before anything else: a code's end is no way to look as if one were heard.
    private func outcome(
        of attempt: VerificationAttempt, from address: ClientAddress?
    ) async throws -> VerificationOutcome {
        guard let id = UUID(uuidString: attempt.verificationID).map(VerificationID.init(_:)),
            let verification = try await VerificationStore.find(postgres, id)
        else { return .refused(.verificationFailed(attemptsRemaining: 0)) }
        if verification.isOpen, verification.attempts >= configuration.codeAttempts { return tooManyAttempts }
        if let refusal = try await guesses.refusal(of: verification.target, from: address) {
            return .refused(.rateLimited(refusal))
        }
        guard verification.isOpen else { return .refused(.verificationFailed(attemptsRemaining: 0)) }
        return try await postgres.transaction { tx in try decide(tx, id, attempt, from: address) }
    }

    /// An outcome, not an error: a wrong guess must be committed.
    private func decide(
        _ tx: PostgresTransaction, _ id: VerificationID, _ attempt: VerificationAttempt,
        from address: ClientAddress?
    ) throws -> VerificationOutcome {
        guard let verification = try VerificationStore.lock(tx, id), verification.isOpen else {
            return .refused(.verificationFailed(attemptsRemaining: 0))
        }
        guard verification.attempts < configuration.codeAttempts else { return tooManyAttempts }
        if let refusal = try guesses.hear(tx, verification.target, from: address) {
            return .refused(.rateLimited(refusal))
        }
        guard attempt.code.matches(verification.codeHMAC, for: id, using: keys.codes) else {
            try VerificationStore.countAttempt(tx, id)
            try guesses.countFailure(tx, verification.target, from: address)
            let remaining = configuration.codeAttempts - verification.attempts - 1
            return .refused(.verificationFailed(attemptsRemaining: remaining))
        }
        try VerificationStore.markUsed(tx, id)
        let (user, isNew) = try UserStore.findOrCreate(
            tx, verification.phoneNumber, firstName: attempt.firstName, timeZone: attempt.timeZone)
        let session = try openSession(tx, user: user.id, deviceName: attempt.deviceName?.rawValue)
        try firewall.noteVerified(tx, verification, from: address)
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
