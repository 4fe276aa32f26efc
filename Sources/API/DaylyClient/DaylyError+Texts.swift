import Foundation

extension DaylyError: LocalizedError {
    public var errorDescription: String? {
        switch self {
        case .networkUnavailable: "Dayly cannot be reached."
        case .photoUploadFailed(retry: true): "The photo was not sent."
        case .photoUploadFailed(retry: false): "This photo cannot be sent."
        case .groupLimitReached: "You are in as many groups as one person can be in."
        case .invalidPhoneNumber: "This is not a phone number that can receive messages."
        case .verificationFailed: "The code is not right."
        case .cameraPermissionDenied: "Dayly may not use the camera."
        case .problem(let problem): problem.detail
        case .signedOut: "You are signed out."
        case .storageFailed: "This device did not let Dayly read or write its data."
        case .unexpectedAnswer(413): "This network lets no photo of this size pass."
        case .unexpectedAnswer(408), .unexpectedAnswer(429), .unexpectedAnswer(500..<511),
            .unexpectedAnswer(512...):
            "Dayly does not answer at the moment."
        case .unexpectedAnswer: "This network answers instead of Dayly."
        case .cancelled: "This was cancelled."
        }
    }

    public var recoverySuggestion: String? {
        switch self {
        case .networkUnavailable: "Check the connection and try again."
        case .photoUploadFailed(retry: true): "Try again. The photo is not lost."
        case .photoUploadFailed(retry: false): "Take another photo."
        case .groupLimitReached: "Leave a group first."
        case .invalidPhoneNumber: "Write it with a plus sign and the country code."
        case .verificationFailed(attemptsRemaining: 0): "Request a new code."
        case .verificationFailed: "Check the code, or request a new one."
        case .cameraPermissionDenied: "Allow the camera in Settings."
        case .problem(let problem): problem.retryAfter.map { "Try again in \($0) seconds." }
        case .signedOut: "Sign in again."
        case .storageFailed: "Unlock the device, free some space and try again."
        case .unexpectedAnswer(413): "Try again in another network."
        case .unexpectedAnswer(408), .unexpectedAnswer(429), .unexpectedAnswer(500..<511),
            .unexpectedAnswer(512...):
            "Try again in a moment."
        case .unexpectedAnswer: "Sign in to the network, or wait."
        case .cancelled: nil
        }
    }
}
