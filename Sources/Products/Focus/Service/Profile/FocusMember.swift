import FeatureKit
import FocusRules

/// A user who has agreed to take part in Focus, at the time of the transaction.
struct FocusMember: Sendable, Equatable {
    let user: UserID
    /// The user's time zone: a name from `pg_timezone_names`.
    let zone: String
    /// PostgreSQL's `now()`, cut to a whole second.
    let now: Instant
    /// The local day of `now`.
    let today: DayNumber
    /// The local day on which the user joined.
    let joinedOn: DayNumber
    /// The end of Focus Pro; nil: never had it.
    let proUntil: Instant?

    var isPro: Bool { (proUntil ?? .min) > now }
}
