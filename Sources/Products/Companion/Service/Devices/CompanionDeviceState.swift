import CompanionRules
import DeviceIntake
import Foundation

/// A phone of an owner, as its row keeps it.
struct CompanionDeviceState: Sendable, Equatable {
    /// The phone's own id.
    let id: UUID
    var syncedAt: Instant
    var intake = EventIntake()
}
