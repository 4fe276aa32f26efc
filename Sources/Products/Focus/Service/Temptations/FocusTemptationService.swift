import DeviceIntake
import FeatureKit
import FocusRules
import Foundation
import Notifications
import Postgres

/// Temptations: push messages that try to end a running streak. The chain of a streak's temptations is a row of `focus_due`,
/// which the job moves from one temptation to the next until an unlock deletes it.
struct FocusTemptationService: Sendable {
    /// How long after it is due a temptation is useful.
    private static let usefulSeconds = 900

    let members: FocusMemberStore
    /// Whether the service sends temptations at all.
    let isOn: Bool

    // MARK: - The user's side

    func put(_ tx: PostgresTransaction, _ wishes: TemptationWishes, by user: UserID) throws -> TemptationState
    {
        _ = try members.requireLocked(tx, user)
        try FocusTemptationStore.write(tx, wishes, of: user)
        return try require(tx, user)
    }

    func require(_ tx: PostgresTransaction, _ user: UserID) throws -> TemptationState {
        guard let state = try FocusTemptationStore.state(tx, of: user) else { throw FocusError.notJoined }
        return state
    }

    // MARK: - The phones' side

    /// Takes what a sync has brought: begins the chain of a new streak, and ends that of a streak that an unlock has ended. The
    /// member's profile is locked.
    ///
    /// - Parameters:
    ///   - running: the beginning of the streak that runs, or that begins by time alone unless another event comes first.
    ///   - unlocks: the times of the unlocks that have just arrived.
    func streakChanged(
        _ tx: PostgresTransaction, _ member: FocusMember, running: Instant?, unlocks: [Instant]
    ) throws {
        guard let state = try FocusTemptationStore.state(tx, of: member.user) else { return }
        try changeChain(tx, state, running: running, now: member.now)
        guard !unlocks.isEmpty, !state.sent.recent.isEmpty else { return }
        // A provider may accept another one at the same time.
        guard var sent = try FocusTemptationStore.lockSent(tx, of: member.user)?.sent else { return }
        sent.take(unlocks: unlocks, now: member.now)
        try FocusTemptationStore.write(tx, sent, of: member.user)
    }

    private func changeChain(
        _ tx: PostgresTransaction, _ state: TemptationState, running: Instant?, now: Instant
    ) throws {
        guard running != state.chain?.streakBegan else { return }
        guard let running, isOn else {
            if state.chain != nil { try FocusDueStore.delete(tx, .temptation, of: state.user) }
            return
        }
        let first = try state.rules(of: running).next(after: nil, state.wishes.intensity, now: now) {
            try FocusTemptationStore.quietUntil(tx, $0, state)
        }
        try FocusDueStore.put(
            tx,
            temptation: FocusDue(
                user: state.user, kind: .temptation, dueAt: first?.at, since: running,
                number: first?.number ?? 0))
    }

    // MARK: - The job's side

    /// Decides about claimed temptations, and moves each chain on.
    ///
    /// - Returns: the messages to be sent.
    func drafts(_ tx: PostgresTransaction, _ claimed: [FocusDue], now: Instant) throws -> [PersonalDraft] {
        let states = Dictionary(
            uniqueKeysWithValues: try FocusTemptationStore.states(tx, of: claimed.map(\.user)).map {
                ($0.user, $0)
            })
        var (drafts, moved): ([PersonalDraft], [FocusDue]) = ([], [])
        for row in claimed {
            guard let state = states[row.user], let since = row.since, let at = row.dueAt else {
                moved.append(row.ended)
                continue
            }
            let current = TemptationChain.Due(number: row.number, at: at)
            if try isDue(tx, current, state, now: now) {
                let text = try state.rules(of: since).text(of: current, lastSent: state.lastSent) {
                    try FocusTemptationStore.isSocialPossible(tx, for: state.user, at: at)
                }
                drafts.append(Self.draft(text, current, of: state.user, since: since))
            }
            moved.append(try next(tx, row, after: current, state, since: since, now: now))
        }
        try FocusDueStore.write(tx, moved)
        return drafts
    }

    private func isDue(
        _ tx: PostgresTransaction, _ current: TemptationChain.Due, _ state: TemptationState, now: Instant
    ) throws -> Bool {
        guard isOn, state.wishes.isEnabled, state.isVerified, now < current.at + Self.usefulSeconds else {
            return false
        }
        return try FocusTemptationStore.quietUntil(tx, [current.at], state) == [nil]
    }

    private func next(
        _ tx: PostgresTransaction, _ row: FocusDue, after current: TemptationChain.Due,
        _ state: TemptationState,
        since: Instant, now: Instant
    ) throws -> FocusDue {
        var row = row
        let next =
            isOn
            ? try state.rules(of: since).next(after: current, state.wishes.intensity, now: now) {
                try FocusTemptationStore.quietUntil(tx, $0, state)
            } : nil
        row.dueAt = next?.at
        row.number = next?.number ?? row.number
        return row
    }

    private static func draft(
        _ text: TemptationText, _ due: TemptationChain.Due, of user: UserID, since: Instant
    ) -> PersonalDraft {
        let (type, number) = (text.kind.rawValue, String(text.number))
        let key = TemptationKey(since: since, number: due.number)
        return PersonalDraft(
            PersonalNotification(
                .temptation, subject: key.text, data: ["type": type, "number": number],
                text: "temptation_\(type)_\(number)"),
            to: user, key: "\(user.rawValue.uuidString.lowercased())|\(key.text)",
            usefulUntil: Date(timeIntervalSince1970: Double(due.at + usefulSeconds)))
    }
}

/// The place of a temptation among all of a user: the beginning of its streak and its number in the chain.
struct TemptationKey: Sendable, Equatable {
    let since: Instant
    let number: Int

    init(since: Instant, number: Int) {
        self.since = since
        self.number = number
    }

    init?(_ text: String) {
        let parts = text.split(separator: "|").map { Int($0) }
        guard parts.count == 2, let since = parts[0], let number = parts[1] else { return nil }
        self.init(since: since, number: number)
    }

    var text: String { "\(since)|\(number)" }
}
