import FeatureKit
import FocusRules
import Foundation

/// One side of a partnership, as the other side sees it.
struct FocusPartnerState: Sendable, Equatable {
    let person: UserID
    let firstName: String?
    /// Whether the partner has agreed to be told.
    let isAccepted: Bool
    /// When the partner was asked or, once they have agreed, since when.
    let since: Date
    /// The days and streaks of the last breaks, newest first; empty where the other side is the partner.
    var breaks: [FocusPartnerBreak] = []
}

/// A streak that the other side has lost. The intention stays theirs.
struct FocusPartnerBreak: Sendable, Equatable {
    let day: DayNumber
    let streak: Int
}
