import DeviceIntake
import FocusRules
import Foundation

/// A phone of a user, as its row keeps it. The server's number names it in every other table.
struct FocusDeviceState: Sendable, Equatable {
    enum Platform: String, Sendable {
        case ios
        case android
    }

    let number: DeviceNumber
    /// The client's own id.
    let id: UUID
    let platform: Platform
    var setUp = DeviceSetUp()
    /// The beginning of the last window, which may be over.
    var lastWindowAt: Instant?
    /// The first verification.
    var verifiedAt: Instant?
    /// The events from this number on count; nil: none does.
    var countsFrom: Int?
    var health = DeviceHealth.neverVerified
    var syncedAt: Instant?
    var deletedAt: Instant?
    var intake = EventIntake()
    /// The number of the last event that was kept.
    var keptSeq = 0
    var lastUnlockAt: Instant?

    init(number: DeviceNumber, id: UUID, platform: Platform) {
        self.number = number
        self.id = id
        self.platform = platform
    }

    func counts(_ seq: Int) -> Bool { countsFrom.map { seq >= $0 } ?? false }

    /// Opens the window in which an unlock verifies the phone.
    func awaitingVerification(at now: Instant) -> FocusDeviceState {
        var device = self
        device.setUp.openWindow(at: now)
        device.lastWindowAt = now
        return device
    }

    func deleted(at now: Instant) -> FocusDeviceState {
        var device = self
        device.deletedAt = now
        return device
    }

    /// Takes the first verification by the event with this number; a later one changes nothing.
    mutating func verify(at instant: Instant, countingFrom seq: Int) {
        guard verifiedAt == nil else { return }
        verifiedAt = instant
        countsFrom = seq
        health = .verified
    }
}

/// A report of a phone about itself.
struct FocusDeviceChange: Sendable, Equatable {
    enum SetUpReport: Sendable, Equatable {
        case begun
        case failed(SetUpFailure)
        /// The phone was granted its permissions. Android only.
        case verified
    }

    let platform: FocusDeviceState.Platform
    let setUp: SetUpReport?
    let isBroken: Bool
    let issue: DeviceIssue?

    func applied(to before: FocusDeviceState, at now: Instant) -> FocusDeviceState {
        var device = before
        switch setUp {
        case .begun: device.setUp.begin()
        case .failed(let reason): device.setUp.fail(reason)
        case .verified:
            device.setUp.verify()
            device.verify(at: now, countingFrom: device.intake.acknowledged + 1)
        case nil: break
        }
        if let issue = issue ?? (isBroken ? .noRecentUnlocks : nil) {
            device.health = device.health.reported(issue, isBroken: isBroken)
        }
        return device
    }
}
