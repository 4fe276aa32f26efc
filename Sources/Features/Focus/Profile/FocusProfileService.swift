import FeatureKit
import FocusRules
import HTTPKit
import Postgres
import RateLimiting

/// Joining, settings and leaving.
struct FocusProfileService: Sendable {
    /// The version of the consent text.
    static let consent = "1"
    private static let nicknamePause = 7 * 86_400

    let postgres: PostgresClient
    let profiles: FocusProfileStore
    /// The rooms that take part in a change, in its transaction, after the profile has changed.
    let onChange: [@Sendable (PostgresTransaction, FocusProfileState) throws -> Void]

    /// Joins, or replaces the settings. The profile stays locked until the change has ended.
    ///
    /// - Throws: `FocusError.nicknameTaken`; `RateLimited` for another nickname within 7 days.
    func put(_ change: FocusProfileChange, by user: UserID) async throws -> FocusProfileState {
        try await postgres.transaction { tx in
            let hasJoined = try profiles.insertIfAbsent(tx, user, consent: change.consent)
            let before = try profiles.requireLocked(tx, user)
            let setsNickname = change.nickname != nil && change.nickname != before.nickname
            if setsNickname { try requirePause(before) }
            var goal = before.goal
            goal.set(change.goalMinutes, on: before.member.today)
            try profiles.update(tx, user, change, goal: goal, setsNickname: setsNickname)
            let after = try profiles.requireLocked(tx, user)
            if hasJoined || after != before { for room in onChange { try room(tx, after) } }
            return after
        }
    }

    private func requirePause(_ profile: FocusProfileState) throws {
        guard let seconds = profile.secondsSinceNickname, seconds < Self.nicknamePause else { return }
        throw RateLimited(
            scope: "focus.nickname.week", limit: 1, per: .seconds(Self.nicknamePause),
            retryAfter: .seconds(Self.nicknamePause - seconds))
    }
}
