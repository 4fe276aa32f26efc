import DeviceIntake

/// The streaks' state of a user from sync to sync. It is small, and the user's row keeps it as bytes (``packed``).
///
/// It holds the state after the last event (the head), and for each day of the last eight with events the state before
/// that day (a checkpoint). A sync with events that all come after the head folds these alone. A late event of another
/// device makes the history begin again at the checkpoint before its UTC day, with all later events of all devices. So
/// the streaks are the same in whatever order the devices' events come.
///
/// A sync does this, in its transaction and under the lock of the user:
///
/// 1. It makes a ``StreakEvent`` of each accepted lock and unlock of a counting device (`StreakEvent(event, device:)`),
///    or of the deletion of a device. Reports and opens have no part in streaks.
/// 2. `history.firstDay(toFold: events)` is nil if only these are needed. Otherwise the store reads the events of all
///    counting devices, deleted ones included, from that UTC day on (`focus_event_days`, with the new ones), and adds the
///    deletions from that day on.
/// 3. `let folded = history.fold(events, hold: …, now: …)` with the events of step 2, in any order.
/// 4. The store reads the days from `folded.firstDay` on (nil: none), and `folded.changed(days)` gives those that are to
///    be written, with the streaks that were added and removed.
/// 5. The store writes `history.packed`.
package struct StreakHistory: Hashable, Sendable {
    /// The state before the first event after a UTC day.
    struct Checkpoint: Hashable, Sendable {
        /// The last UTC day whose events the state has taken.
        let through: DayNumber
        let state: StreakState
    }

    /// Late events are at most 7 days old. One day more is kept, since days are cut in UTC.
    static let daysKept = 8

    var checkpoints: [Checkpoint]
    var head: StreakState
    /// The last event of the head; nil before the first.
    var last: StreakPosition?

    /// The history of a user without any event.
    package init() {
        checkpoints = []
        head = StreakState()
        last = nil
    }

    init(checkpoints: [Checkpoint], head: StreakState, last: StreakPosition?) {
        self.checkpoints = checkpoints
        self.head = head
        self.last = last
    }

    /// The UTC day from which on all events must be handed to ``fold(_:hold:now:)``; nil if the new ones suffice.
    package func firstDay(toFold new: [StreakEvent]) -> DayNumber? {
        guard let last, let first = new.lazy.map(StreakPosition.init).min(), first < last else { return nil }
        return start(before: utcDay(of: first.at)) + 1
    }

    /// Folds the new events, or all events from the day that ``firstDay(toFold:)`` names, in any order.
    /// - Parameter hold: the seconds after which an unlock by Shortcuts counts as a lock (`focus.shortcut_hold`).
    package mutating func fold(_ events: [StreakEvent], hold: Int, now: Instant) -> FoldedStreaks {
        let events = isSorted(events) ? events : events.sorted()
        guard let first = events.first else { return FoldedStreaks(replacedFrom: nil, streaks: []) }
        var replacedFrom: Instant?
        if let last, StreakPosition(first) < last {
            let through = start(before: utcDay(of: first.at))
            rewind(to: through)
            replacedFrom = (through + 1) * secondsPerDay
        }
        var streaks: [Streak] = []
        // Half of the events are unlocks.
        streaks.reserveCapacity(events.count / 2)
        append(events, hold: hold, to: &streaks)
        forget(before: utcDay(of: now) - Self.daysKept)
        return FoldedStreaks(replacedFrom: replacedFrom, streaks: streaks)
    }

    /// The streak that runs now, if the user's phones are all left alone.
    package func running(at now: Instant) -> RunningStreak? {
        var state = head
        state.pass(to: now)
        return state.isRunning ? RunningStreak(began: state.began, isEstimated: state.isEstimated) : nil
    }

    /// The streak that runs now or, if a phone is in use, begins by time alone unless another event comes first.
    package var expected: RunningStreak? { running(at: StreakState.locked - 1) }

    private func isSorted(_ events: [StreakEvent]) -> Bool {
        for index in events.indices.dropFirst() where events[index] < events[index - 1] { return false }
        return true
    }

    /// The `through` of the checkpoint from which a fold of events of the day begins.
    private func start(before day: DayNumber) -> DayNumber {
        checkpoints.last { $0.through < day }?.through ?? checkpoints.first?.through ?? 0
    }

    private mutating func rewind(to through: DayNumber) {
        guard let index = checkpoints.firstIndex(where: { $0.through == through }) else {
            self = StreakHistory()
            return
        }
        head = checkpoints[index].state
        checkpoints.removeSubrange(index...)
        last = StreakPosition(at: through * secondsPerDay, isDeletion: false, device: 0, seq: 0)
    }

    private mutating func append(_ events: [StreakEvent], hold: Int, to streaks: inout [Streak]) {
        var day = last.map { utcDay(of: $0.at) } ?? 0
        var midnight = last == nil ? Int.min : (day + 1) * secondsPerDay
        for event in events {
            if event.at >= midnight {
                checkpoints.append(Checkpoint(through: day, state: head))
                day = utcDay(of: event.at)
                midnight = (day + 1) * secondsPerDay
            }
            if let streak = head.take(event, hold: hold) { streaks.append(streak) }
        }
        if let event = events.last { last = StreakPosition(event) }
    }

    /// Keeps the last checkpoint before a day, from which events of that day can be folded, and all later ones.
    private mutating func forget(before day: DayNumber) {
        guard let index = checkpoints.lastIndex(where: { $0.through < day }) else { return }
        checkpoints.removeSubrange(..<index)
    }
}
