import DaylyAPI
import DeviceIntake
import FeatureKit
import FocusRules
import Postgres

/// Hints over the streams of `GET /v1/events`. They name no time of another user.
struct FocusHints: Sendable {
    private let store = FocusHintStore()

    /// The member's figures on the boards of a week have changed. Of each group those members hear of it who have a profile.
    func boardsChanged(_ tx: PostgresTransaction, of user: UserID, week: DayNumber) throws {
        for (group, members) in try store.boardMembers(tx, of: user) {
            let id = group.resourceID
            EventHint(
                HintName.focusBoard.rawValue,
                data: #"{"group_id":"\#(id)","week":"\#(isoText(day: week))"}"#, to: members,
                topic: "\(HintName.focusBoard.rawValue).\(id)", interval: .seconds(30)
            ).post(tx)
        }
    }
}
