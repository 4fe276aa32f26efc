import FeatureKit
import FocusRules
import Foundation

/// The board of a group and a week.
struct FocusBoardState: Sendable {
    struct Entry: Sendable {
        let rank: Int
        let user: UserID
        let firstName: String?
        let figures: DayFigures
        let status: String
        /// The hour of the last sync, if that is long ago.
        let syncedAt: Instant?
    }

    let week: DayNumber
    let closesAt: Instant
    let isClosed: Bool
    let entries: [Entry]
}
