import FocusAPI
import DaylyAPI
import DeviceIntake
import FeatureKit
import FocusRules
import Postgres

/// Hints over the streams of `GET /v1/events`. They name no time of another user.
struct FocusHints: Sendable {

    /// The member's figures on the boards of a week have changed. In each of the groups whose boards list the member, those with
    /// a profile get the hint.
    func boardsChanged(_ tx: PostgresTransaction, of user: UserID, week: DayNumber) throws {
        post(tx, try FocusHintStore.boardMembers(tx, of: user), week: week)
    }

    /// The member's figures of these weeks have changed on the boards of their groups; without a week, their status.
    func boardsChanged(_ tx: PostgresTransaction, of member: FocusMember, weeks: [DayNumber]) throws {
        try boardsChanged(tx, of: member.user, week: weeks.max() ?? monday(of: member.today))
    }

    /// The answer of `GET /now` has changed.
    func nowChanged(_ tx: PostgresTransaction, of user: UserID) {
        EventHint(FocusHintName.now.rawValue, to: [user]).post(tx)
    }

    /// The boards of a week have closed.
    func boardsClosed(_ tx: PostgresTransaction, _ boards: [FocusBoardMembers], week: DayNumber) {
        post(tx, boards, week: week)
    }

    private func post(_ tx: PostgresTransaction, _ boards: [FocusBoardMembers], week: DayNumber) {
        for board in boards {
            let id = board.group.resourceID
            EventHint(
                FocusHintName.board.rawValue,
                data: #"{"group_id":"\#(id)","week":"\#(isoText(day: week))"}"#, to: board.users,
                topic: "\(FocusHintName.board.rawValue).\(id)", interval: .seconds(30)
            ).post(tx)
        }
    }
}
