import FeatureKit
import FocusRules
import HTTPKit
import Postgres

/// Intentions and the freeze. A user's calls and syncs run one after the other, under the lock of the profile.
struct FocusIntentionService: Sendable {
    static let maxIntentions = 30

    let postgres: PostgresClient
    let members: FocusMemberStore

    /// An intention with what an answer says about today.
    struct View: Sendable {
        let intention: FocusIntentionState
        let today: DayNumber
        let isFrozen: Bool
    }

    /// Oldest first.
    func list(of user: UserID) async throws -> [View] {
        try await postgres.transaction { tx in
            let member = try members.require(tx, user)
            return try views(tx, FocusIntentionStore.all(tx, of: user), member)
        }
    }

    /// - Throws: `FocusError.intentionLimitReached`; `IdempotencyKeyReused`.
    func create(
        _ draft: FocusIntentionDraft, _ call: RepeatableCall?, by user: UserID
    ) async throws -> Creation<View> {
        try await postgres.transaction { tx in
            let member = try members.requireLocked(tx, user)
            return try IdempotencyKeyStore.once(tx, call, of: user, id: FocusIntentionID(.version7())) { id in
                guard try FocusIntentionStore.all(tx, of: user).count < Self.maxIntentions else {
                    throw FocusError.intentionLimitReached
                }
                try FocusIntentionStore.insert(tx, id, draft, of: member)
                return try view(tx, FocusIntentionStore.require(tx, id, of: user), member)
            } find: { id in
                try view(tx, FocusIntentionStore.require(tx, id, of: user), member)
            }
        }
    }

    /// A lower limit holds at once, a higher one from tomorrow on.
    ///
    /// - Throws: `FocusError.notFound`.
    func replace(
        _ id: FocusIntentionID, by draft: FocusIntentionDraft, of user: UserID
    ) async throws -> View {
        try await postgres.transaction { tx in
            let member = try members.requireLocked(tx, user)
            var days = try FocusIntentionStore.require(tx, id, of: user).days
            days.setLimit(draft.opens, on: member.today)
            let intention = FocusIntentionState(
                id: id, label: draft.label, minutes: draft.minutes, days: days)
            try FocusIntentionStore.update(tx, intention)
            return try view(tx, intention, member)
        }
    }

    func delete(_ id: FocusIntentionID, of user: UserID) async throws {
        try await postgres.transaction { tx in
            _ = try members.requireLocked(tx, user)
            try FocusIntentionStore.delete(tx, id, of: user)
        }
    }

    /// Keeps all streaks on today, the user's local day.
    ///
    /// - Throws: `FocusError.proRequired`, `.freezeUnavailable`; `IdempotencyKeyReused`.
    func freeze(_ call: RepeatableCall?, by user: UserID) async throws -> Creation<DayNumber> {
        try await postgres.transaction { tx in
            let member = try members.requireLocked(tx, user)
            return try IdempotencyKeyStore.once(tx, call, of: user, id: FocusFreezeID(.version7())) { id in
                guard member.isPro else { throw FocusError.proRequired }
                try FocusFreezeStore.insert(tx, id, of: member)
                FocusHints().nowChanged(tx, of: user)
                return member.today
            } find: { id in
                try FocusFreezeStore.requireDay(tx, id, of: user)
            }
        }
    }

    private func views(
        _ tx: PostgresTransaction, _ intentions: [FocusIntentionState], _ member: FocusMember
    ) throws -> [View] {
        let isFrozen = try FocusFreezeStore.isFrozen(tx, member)
        return intentions.map { View(intention: $0, today: member.today, isFrozen: isFrozen) }
    }

    private func view(
        _ tx: PostgresTransaction, _ intention: FocusIntentionState, _ member: FocusMember
    ) throws -> View {
        View(intention: intention, today: member.today, isFrozen: try FocusFreezeStore.isFrozen(tx, member))
    }
}
