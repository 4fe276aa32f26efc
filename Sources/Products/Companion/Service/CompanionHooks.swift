import CompanionRules
import FeatureKit
import Postgres

/// The parts that rooms take in what is due, in the same transaction, the settings rows locked.
struct CompanionHooks: Sendable {
    /// Days of one account have ended, the oldest first.
    var onDaysEnded: [@Sendable (PostgresTransaction, CompanionOwner, [CompanionEndedDay]) throws -> Void] =
        []

    /// As ``onDaysEnded``, for all accounts of a batch at once. A room takes part by either.
    var onBatchEnded: [@Sendable (PostgresTransaction, [CompanionEndedDays]) throws -> Void] = []

    /// The summaries of these days of one account are due: they ended at least an hour ago, have events and no summary.
    /// The oldest comes first. It is called once for a day.
    var onSummariesDue:
        [@Sendable (PostgresTransaction, CompanionOwner, [CompanionDayState]) throws -> Void] =
            []

    /// A change of the time zone has moved the end of the running day.
    var onEndMoved: [@Sendable (PostgresTransaction, CompanionOwner) throws -> Void] = []

    /// A day was closed with an award, which is more than 0.
    var onAward: [@Sendable (PostgresTransaction, CompanionOwner, DayNumber, Int) throws -> Void] = []

    /// The last end of the windows that are open now: `open_until` of a day.
    var openUntil: @Sendable (PostgresTransaction, CompanionOwner) throws -> Instant? = { _, _ in nil }
}
