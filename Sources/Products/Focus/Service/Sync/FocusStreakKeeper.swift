import DeviceIntake
import FeatureKit
import FocusRules
import Postgres

/// Keeps a user's streaks, days and weeks in step with the events of their phones.
struct FocusStreakKeeper: Sendable {
    let partitions: FocusPartitions
    let settings: FocusSettings
    let feed: FocusFeedStore
    let temptations: FocusTemptationService

    init(
        partitions: FocusPartitions, settings: FocusSettings, feed: FocusFeedStore,
        temptations: FocusTemptationService
    ) {
        self.partitions = partitions
        self.settings = settings
        self.feed = feed
        self.temptations = temptations
    }

    /// Folds new events into the streaks. If one of them lies before events that were folded already, the fold begins
    /// again before its day.
    ///
    /// - Parameter new: events that are not stored yet.
    func fold(
        _ tx: PostgresTransaction, _ new: [StreakEvent], into state: inout FocusUserState
    ) throws -> FoldedStreaks {
        var all = new
        if let day = state.history.firstDay(toFold: new) {
            all += try stored(tx, of: state.member, from: day)
        }
        return state.history.fold(all, hold: settings.shortcutHold, now: state.member.now)
    }

    /// The counting events of all phones from a UTC day on, and the deletions of phones since.
    private func stored(
        _ tx: PostgresTransaction, of member: FocusMember, from day: DayNumber
    ) throws -> [StreakEvent] {
        let all = try FocusDeviceStore.all(tx, of: member.user, deletedSince: day).filter {
            $0.countsFrom != nil
        }
        let byNumber = Dictionary(uniqueKeysWithValues: all.map { ($0.number, $0) })
        let stored = try FocusEventStore.days(tx, of: member.user, devices: all.map(\.number), from: day)
        let counting = stored.flatMap { part in
            part.events.filter { byNumber[part.device]?.counts($0.seq) ?? false }
                .compactMap { StreakEvent($0, device: part.device) }
        }
        return counting + all.compactMap(Self.deletion).filter { utcDay(of: $0.at) >= day }
    }

    private static func deletion(of device: FocusDeviceState) -> StreakEvent? {
        device.deletedAt.map {
            StreakEvent.deletion(of: device.number, at: max($0, device.intake.lastTime ?? $0))
        }
    }

    /// Takes the deletion of a phone, which the caller has stored.
    func delete(_ tx: PostgresTransaction, _ device: FocusDeviceState, of user: UserID) throws {
        guard device.countsFrom != nil, let deletion = Self.deletion(of: device) else { return }
        var state = try FocusUserStore.require(tx, user)
        let isLate = state.history.firstDay(toFold: [deletion]) != nil
        // The stored events that a fold from the beginning reads hold the deletion already.
        let folded =
            isLate
            ? try refold(tx, from: deletion, into: &state)
            : state.history.fold([deletion], hold: settings.shortcutHold, now: state.member.now)
        let figures = try FocusFigures(
            tx, of: state.member, folded: folded, counted: settings.countedStreaks)
        try FocusSyncStore.write(tx, state, figures)
        try changed(tx, state, figures, unlocks: [])
    }

    /// Takes a change of a user's streaks into the feeds of their followers, and begins or ends the chain of their temptations.
    ///
    /// - Parameter unlocks: the times of the unlocks that have just arrived, in order.
    func changed(
        _ tx: PostgresTransaction, _ state: FocusUserState, _ figures: FocusFigures, unlocks: [Instant]
    ) throws {
        let (added, removed) = (figures.changes.flatMap(\.added), figures.changes.flatMap(\.removed))
        if !added.isEmpty || !removed.isEmpty {
            try feed.change(
                tx, of: state.member.user, added: added.map(FeedStreak.init),
                removed: removed.map(FeedStreak.init))
        }
        try temptations.streakChanged(
            tx, state.member, running: state.history.expected?.began, unlocks: unlocks)
    }

    private func refold(
        _ tx: PostgresTransaction, from event: StreakEvent, into state: inout FocusUserState
    ) throws -> FoldedStreaks {
        let day = state.history.firstDay(toFold: [event]) ?? utcDay(of: event.at)
        let all = try stored(tx, of: state.member, from: day)
        return state.history.fold(all, hold: settings.shortcutHold, now: state.member.now)
    }
}
