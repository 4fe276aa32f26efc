import CompanionAPI
import DaylyAPI
import FeatureKit
import Postgres

/// Hints over the streams of `GET /v1/events`, to the owner. They go out after the commit.
enum CompanionHints {
    /// The day, the diary or the settings have changed.
    static func dayChanged(_ tx: PostgresTransaction, of users: UserID...) {
        dayChanged(tx, of: users)
    }

    static func dayChanged(_ tx: PostgresTransaction, of users: [UserID]) {
        EventHint(CompanionHintName.day.rawValue, to: users).post(tx)
    }

    static func petChanged(_ tx: PostgresTransaction, of users: UserID...) {
        petChanged(tx, of: users)
    }

    static func petChanged(_ tx: PostgresTransaction, of users: [UserID]) {
        EventHint(CompanionHintName.pet.rawValue, to: users).post(tx)
    }

    static func walletChanged(_ tx: PostgresTransaction, of users: UserID...) {
        EventHint(CompanionHintName.wallet.rawValue, to: users).post(tx)
    }
}
