import DaylyAPI
import Foundation

/// The reasons for which a call fails. Apps switch on them; the texts are for people.
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum DaylyError: Error, Sendable, Equatable {
    /// No answer came. A call that changes something may have arrived all the same.
    case networkUnavailable
    /// The photo could not be sent. With `retry` the same photo may pass later; without it the service refuses the picture.
    case photoUploadFailed(retry: Bool)
    case groupLimitReached
    case invalidPhoneNumber
    /// The sign-in code was wrong, used or expired.
    case verificationFailed(attemptsRemaining: Int? = nil)
    /// For apps: the library does not use the camera and never throws it.
    case cameraPermissionDenied
    /// Any other refusal. Its code may be newer than this library.
    case problem(ProblemDocument)
    /// The device is not signed in, or its session has ended.
    case signedOut
    /// The device's own storage refused to read or write, for example a Keychain before the first unlock.
    case storageFailed
    /// The answer is not Dayly's: a hotel's sign-in page, a company's proxy, a gateway without the service behind it. It says
    /// nothing about the call, which may be made again later.
    case unexpectedAnswer(status: Int)
    /// The caller's task was cancelled.
    case cancelled
}

extension DaylyError {
    public init(_ problem: ProblemDocument) {
        switch problem.kind {
        case .groupLimitReached: self = .groupLimitReached
        case .invalidPhoneNumber: self = .invalidPhoneNumber
        case .verificationFailed:
            self = .verificationFailed(attemptsRemaining: problem.attemptsRemaining)
        default: self = .problem(problem)
        }
    }

    public init(_ error: TransportError) {
        self = error.isCancelled ? .cancelled : .networkUnavailable
    }

    /// The code of a ``problem(_:)``.
    public var code: ProblemCode? {
        if case .problem(let problem) = self { problem.kind } else { nil }
    }
}
