import FocusAPI
import DaylyAPI
import FeatureKit
import FocusRules
import Foundation
import Postgres

/// The rooms and streams that take part when a user's streaks or figures change, in the transaction of the change. The front
/// door of Focus sets them.
struct FocusSignals: Sendable {
    /// The streaks of a user have changed.
    struct StreakChange: Sendable {
        let member: FocusMember
        /// The days whose streaks have changed, with the streaks that were added and removed.
        let days: [DayChange]
        /// The streak that runs, or that begins by time alone unless another event comes first.
        let expected: RunningStreak?
        /// The times of the unlocks that have just arrived, in order.
        let unlocks: [Instant]
        let status: DeviceStatus
    }

    typealias Streaks = @Sendable (PostgresTransaction, StreakChange) throws -> Void
    typealias League = @Sendable (PostgresTransaction, FocusMember) throws -> Void

    typealias Boards = @Sendable (PostgresTransaction, FocusMember, [DayNumber]) throws -> Void

    var onStreaks: [Streaks] = []
    var onBoards: [Boards] = []
    /// Called when league points of a user have grown.
    var onLeaguePoints: [League] = []

    func streaksChanged(_ tx: PostgresTransaction, _ change: StreakChange) throws {
        for room in onStreaks { try room(tx, change) }
    }

    func leaguePointsGrew(_ tx: PostgresTransaction, of member: FocusMember) throws {
        for room in onLeaguePoints { try room(tx, member) }
    }

    /// The user's figures of these weeks, or their status, have changed on the boards of their groups.
    func boardsChanged(_ tx: PostgresTransaction, of member: FocusMember, weeks: [DayNumber]) throws {
        for room in onBoards { try room(tx, member, weeks) }
    }

    /// The answer of `GET /now` has changed.
    func nowChanged(_ tx: PostgresTransaction, _ user: UserID) throws {
        EventHint(FocusHintName.now.rawValue, to: [user]).post(tx)
    }
}
