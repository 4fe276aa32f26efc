import FeatureKit
import FocusRules
import Foundation

/// A user's part in Focus, as the user sees and changes it.
struct FocusProfileState: Sendable, Equatable {
    let member: FocusMember
    let consent: String
    let nickname: String?
    /// The time from the last setting of a nickname until now; nil: none was ever set.
    let secondsSinceNickname: Int?
    let hasBoards: Bool
    let hasLeagues: Bool
    let hasFeed: Bool
    let wantsMorning: Bool
    /// In minutes of screen time a day.
    let goal: RisingLimit
    let joinedAt: Instant

    /// Whether the user may have a seat in a league.
    var isInLeagues: Bool { hasLeagues && nickname != nil }
}

/// The wishes of a user for their profile.
struct FocusProfileChange: Sendable, Equatable {
    let consent: String
    let nickname: String?
    let hasBoards: Bool
    let hasLeagues: Bool
    let hasFeed: Bool
    let wantsMorning: Bool
    /// The wanted goal; nil: none.
    let goalMinutes: Int?
}
