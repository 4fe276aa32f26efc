import FeatureKit
import FocusRules

enum FocusScheduleTag {}
typealias FocusScheduleID = ID<FocusScheduleTag>

/// A schedule, as its row keeps it.
struct FocusScheduleState: Sendable, Equatable {
    let id: FocusScheduleID
    let name: String?
    let emoji: String?
    let times: ScheduleTimes
    let mode: FocusMode
    let isBeastMode: Bool
    /// The next beginning.
    let nextAt: Instant?
}

/// The wishes of a user for a schedule.
struct FocusScheduleDraft: Sendable, Equatable {
    let name: String?
    let emoji: String?
    let times: ScheduleTimes
    let mode: FocusMode
    let isBeastMode: Bool
}
