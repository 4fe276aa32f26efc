import FeatureKit
import Foundation
import Notifications
import Postgres

/// The effects of one run of all jobs of Focus, by job.
package struct FocusRunReport: Sendable, Encodable {
    package struct Due: Sendable, Encodable {
        /// Temptations and reminders whose time had come, and the push messages among them.
        package let handled: Int
        package let posted: Int
    }

    package struct Ends: Sendable, Encodable {
        /// Sessions whose end was not reported in time.
        package let lost: Int
    }

    package struct Close: Sendable, Encodable {
        package let weeks: Int
        package let leagues: Int
        package let boards: Int
        package let seats: Int
    }

    package struct Purge: Sendable, Encodable {
        package let madePartitions: Int
        package let droppedPartitions: Int
        package let deletedRows: Int
    }

    package let focusDue: Due
    package let focusEnds: Ends
    package let focusClose: Close
    package let focusPurge: Purge
}

extension FocusFeature {
    /// Runs each job of Focus once, as the service does all the time. Any number of processes may run them at once.
    package static func runJobs(
        _ settings: FocusSettings, postgres: PostgresClient, notifications: NotificationOutbox
    ) async throws -> FocusRunReport {
        let temptations = FocusTemptationService(
            members: FocusMemberStore(postgres: postgres), isOn: settings.hasTemptations)
        let due = try await FocusDueJob(
            postgres: postgres, temptations: temptations, reminders: FocusReminders(), outbox: notifications
        ).runOnce()
        let lost = try await FocusEnds(sessions: FocusSessionStore(postgres: postgres)).runOnce()
        let close = try await FocusClose(postgres: postgres, settings: settings).runOnce()
        let purge = try await purge(postgres).runOnce()
        return FocusRunReport(
            focusDue: .init(handled: due.handled, posted: due.posted), focusEnds: .init(lost: lost),
            focusClose: .init(
                weeks: close.weeks, leagues: close.leagues, boards: close.boards, seats: close.seats),
            focusPurge: .init(
                madePartitions: purge.madePartitions, droppedPartitions: purge.droppedPartitions,
                deletedRows: purge.deletedRows))
    }

    /// Sets the end of a user's Pro to the end of a day in UTC.
    ///
    /// - Returns: false if the user has not joined.
    package static func setPro(_ postgres: PostgresClient, of user: UserID, until day: PostgresDate)
        async throws -> Bool
    {
        try await FocusProStore.grant(postgres, until: day, to: user)
    }

    static func purge(_ postgres: PostgresClient) -> FocusPurge {
        FocusPurge(
            postgres: postgres,
            parts: [
                { try await FocusSessionStore(postgres: postgres).deleteOld() },
                { try await FocusPartnerStore.deleteOldBreaks(postgres) },
                { try await FocusFeedStore(postgres: postgres).deleteOld() },
            ])
    }
}
