import FeatureKit
import FocusRules
import Postgres

/// The statement that writes everything that a sync changes.
enum FocusSyncStore {
    /// - Parameters:
    ///   - device: the phone that has sent the events; nil: the change is not a sync.
    ///   - events: the phone's new events.
    static func write(
        _ tx: PostgresTransaction, _ state: FocusUserState, _ figures: FocusFigures,
        device: FocusDeviceState? = nil, events: [FocusEventAddition] = []
    ) throws {
        let user = state.member.user
        var parts: [SQL] = []
        if let device {
            parts.append("device AS (\(fragment: FocusDeviceStore.updating(device, of: user)))")
            if !events.isEmpty {
                let inserting = FocusEventStore.inserting(events, device: device.number, of: user)
                parts.append("events AS (\(fragment: inserting))")
            }
        }
        if !figures.days.isEmpty {
            parts.append("days AS (\(fragment: FocusDayStore.inserting(figures.days, of: user)))")
        }
        if !figures.weeks.isEmpty {
            parts.append("weeks AS (\(fragment: FocusDayStore.inserting(figures.weeks, of: user)))")
        }
        let profile = FocusUserStore.updating(state, isSync: device != nil)
        try tx.execute(
            parts.isEmpty ? profile : "WITH \(fragment: .joined(parts, by: ", ")) \(fragment: profile)")
    }
}
