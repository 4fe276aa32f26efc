/// The progress of a device's set-up. The raw values are those of the API.
package enum SetUpStage: String, Sendable {
    case notStarted = "not_started"
    case inProgress = "in_progress"
    case awaitingVerification = "awaiting_verification"
    case verified
    case failed
}

package enum SetUpFailure: String, Sendable {
    case noEventReceived = "no_event_received"
    case automationNotCreated = "automation_not_created"
    case unknown
}

/// The set-up of a device, as its row keeps it, with the window in which an unlock verifies it.
package struct DeviceSetUp: Hashable, Sendable {
    /// As stored. The end of a window changes it without an event: see ``stage(at:)``.
    package private(set) var storedStage: SetUpStage
    package private(set) var storedFailure: SetUpFailure?
    /// The beginning of the window that an unlock may still use.
    package private(set) var windowStartsAt: Instant?

    package init(
        stage: SetUpStage = .notStarted, failure: SetUpFailure? = nil, windowStartsAt: Instant? = nil
    ) {
        storedStage = stage
        storedFailure = failure
        self.windowStartsAt = windowStartsAt
    }

    /// The window's length in seconds; both of its ends belong to it.
    package static let windowSeconds = 120
    /// An unlock that arrives later than this after the window's beginning does not verify.
    package static let arrivalSeconds = 86_400

    package func stage(at now: Instant) -> SetUpStage { hasFailedBySilence(at: now) ? .failed : storedStage }

    /// The reason of a failure; nil unless the set-up has failed.
    package func failure(at now: Instant) -> SetUpFailure? {
        hasFailedBySilence(at: now) ? .noEventReceived : storedFailure
    }

    package mutating func begin() { become(.inProgress) }

    /// The phone says that its set-up has failed.
    package mutating func fail(_ reason: SetUpFailure) { become(.failed, reason) }

    /// An Android phone says that it has its permissions.
    package mutating func verify() { become(.verified) }

    /// Opens a window, which ends the one before.
    package mutating func openWindow(at now: Instant) {
        become(.awaitingVerification)
        windowStartsAt = now
    }

    /// Takes an accepted unlock, and returns whether it verifies the device. Only the first one in a window does.
    package mutating func takeUnlock(_ source: UnlockSource, at: Instant, receivedAt: Instant) -> Bool {
        guard let start = windowStartsAt, source == .shortcut || source == .verification,
            (start...start + Self.windowSeconds).contains(at), receivedAt <= start + Self.arrivalSeconds
        else { return false }
        become(.verified)
        return true
    }

    private func hasFailedBySilence(at now: Instant) -> Bool {
        guard storedStage == .awaitingVerification, let start = windowStartsAt else { return false }
        return now > start + Self.windowSeconds
    }

    private mutating func become(_ stage: SetUpStage, _ failure: SetUpFailure? = nil) {
        storedStage = stage
        storedFailure = failure
        windowStartsAt = nil
    }
}
