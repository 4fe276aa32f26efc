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
    let rates: RateLimits
    let reminders: FocusReminders
    let seats: FocusLeagueSeats

    /// Joins, or replaces the settings. The profile stays locked until the change has ended.
    ///
    /// - Throws: `FocusError.nicknameTaken`; `RateLimited` for another nickname within 7 days, and after ten joinings in a day: each
    ///   leaving is a record in the journal of erasures.
    func put(_ change: FocusProfileChange, by user: UserID) async throws -> FocusProfileState {
        try await postgres.transaction { tx in
            let hasJoined = try profiles.insertIfAbsent(tx, user, consent: change.consent)
            if hasJoined { try rates.check(tx, [Self.joiningLimit(of: user)]) }
            let before = try profiles.requireLocked(tx, user)
            let setsNickname = change.nickname != nil && change.nickname != before.nickname
            if setsNickname { try requirePause(before) }
            var goal = before.goal
            goal.set(change.goalMinutes, on: before.member.today)
            try profiles.update(tx, user, change, goal: goal, setsNickname: setsNickname)
            let after = try profiles.requireLocked(tx, user)
            if hasJoined || after != before {
                try reminders.refresh(tx, of: user)
                try seats.profileChanged(tx, after)
            }
            return after
        }
    }

    private static func joiningLimit(of user: UserID) -> RateLimit {
        RateLimit(
            scope: "focus.joining.day", subject: user.rawValue.uuidString, limit: 10, per: .seconds(86_400))
    }

    private func requirePause(_ profile: FocusProfileState) throws {
        guard let seconds = profile.secondsSinceNickname, seconds < Self.nicknamePause else { return }
        throw RateLimited(
            scope: "focus.nickname.week", limit: 1, per: .seconds(Self.nicknamePause),
            retryAfter: .seconds(Self.nicknamePause - seconds))
    }
}
