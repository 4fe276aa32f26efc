import FeatureKit
import FocusRules
import Foundation
import Postgres

/// The part that intentions take in a sync, in its transaction. The front door of Focus sets it.
struct FocusIntentionRoom: Sendable {
    /// Takes the first event of a later local day than any before: the days of the intentions before it are over.
    var reach: @Sendable (PostgresTransaction, FocusMember, DayNumber) throws -> Void = { _, _, _ in }
    /// Takes an open of an intention on a local day; false: the user has no such intention.
    var open: @Sendable (PostgresTransaction, FocusMember, UUID, DayNumber) throws -> Bool = { _, _, _, _ in
        false
    }
}
