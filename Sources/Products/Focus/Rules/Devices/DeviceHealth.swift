package enum DeviceStatus: String, Sendable {
    case pending, verified, broken
}

package enum DeviceIssue: String, Sendable {
    case neverVerified = "never_verified"
    case noRecentUnlocks = "no_recent_unlocks"
    /// A warning alone: the app was opened, and the last unlock was more than 30 minutes ago.
    case appOpenWithoutRecentUnlock = "app_open_without_recent_unlock"
}

/// The answer to whether a device reports what happens to it.
package struct DeviceHealth: Hashable, Sendable {
    package let status: DeviceStatus
    package let issue: DeviceIssue?
    /// Whole hours since the last unlock, where the issue is about them.
    package let issueHours: Int?

    package init(status: DeviceStatus, issue: DeviceIssue? = nil, issueHours: Int? = nil) {
        self.status = status
        self.issue = issue
        self.issueHours = issueHours
    }

    /// The health of a device until it is verified for the first time.
    package static let neverVerified = DeviceHealth(status: .pending, issue: .neverVerified)
    /// The health right after the first verification.
    package static let verified = DeviceHealth(status: .verified)

    private static let silence = 86_400

    /// The health at the end of a sync of the device.
    /// - Parameters:
    ///   - wasVerified: the device was verified once, perhaps by this sync.
    ///   - lastUnlockAt: the greatest time of the device's unlocks.
    ///   - broughtUnlock: this sync brought an unlock that was accepted.
    package func afterSync(
        wasVerified: Bool, lastUnlockAt: Instant?, broughtUnlock: Bool, now: Instant
    ) -> DeviceHealth {
        guard wasVerified else { return .neverVerified }
        guard let lastUnlockAt else { return DeviceHealth(status: .broken, issue: .noRecentUnlocks) }
        let seconds = now - lastUnlockAt
        if seconds > Self.silence {
            return DeviceHealth(status: .broken, issue: .noRecentUnlocks, issueHours: seconds / 3_600)
        }
        return broughtUnlock || status == .pending ? .verified : self
    }

    /// The health after the phone's own report of an issue. Until its first verification a device stays pending.
    /// - Parameter isBroken: the phone reports the status `broken`; otherwise the issue is a mere warning.
    package func reported(_ issue: DeviceIssue, isBroken: Bool) -> DeviceHealth {
        guard status != .pending else { return self }
        return DeviceHealth(status: isBroken ? .broken : status, issue: issue)
    }
}

/// The status of a user with these devices.
package func trackingStatus(of devices: some Sequence<DeviceStatus>) -> DeviceStatus {
    var result = DeviceStatus.pending
    for status in devices where status != .pending {
        if status == .broken { return .broken }
        result = .verified
    }
    return result
}
