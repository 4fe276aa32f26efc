import FeatureKit
import Focus
import Foundation
import Logging
import Notifications
import Postgres
import Push

/// `dayly focus`.
package enum FocusAction {
    /// Runs each job of Focus once.
    ///
    /// - Throws: `CommandFailure` where Focus is switched off, while the clocks of database and bucket disagree, and on a
    ///   database that does not fit.
    package static func run(configuration: ServerConfiguration, logger: Logger) async throws -> FocusRunReport
    {
        guard configuration.features.contains(.focus) else {
            throw CommandFailure(
                reason: "Focus is switched off.", remedy: "Add focus to features (DAYLY_FEATURES).")
        }
        return try await configuration.withDatabaseAndBucket(logger: logger) { place in
            try await place.onAgreedTime { database in
                try await FocusFeature.runJobs(
                    configuration.focus, postgres: database,
                    notifications: NotificationOutbox(platforms: configuration.push.platforms))
            }
        }
    }

    /// Sets the end of a user's Pro to the end of a day in UTC.
    ///
    /// - Throws: `CommandFailure` for a user without a profile, and for texts that are not an id or a day.
    package static func setPro(
        of user: String, until day: String, configuration: ServerConfiguration, logger: Logger
    ) async throws {
        guard let id = UUID(uuidString: user), user.utf8.count == 36 else { throw Self.unknownUser }
        guard day.utf8.count == 10, let date = PostgresDate(day) else {
            throw CommandFailure(
                reason: "The value of --until is not a day.", remedy: "Days look like 2026-12-31.")
        }
        let isSet = try await configuration.withDatabase(logger: logger) { database in
            try await FocusFeature.setPro(database, of: UserID(id), until: date)
        }
        guard isSet else { throw Self.unknownUser }
    }

    private static var unknownUser: CommandFailure {
        CommandFailure(
            reason: "This user has not joined Focus, or does not exist.",
            remedy: "Give the user's id, as in the export of the account, after the user has joined Focus.")
    }
}

extension PushSettings {
    /// The platforms to which push messages go.
    var platforms: Set<PushPlatform> {
        Set(
            kinds.compactMap { kind -> PushPlatform? in
                switch kind {
                case .none: nil
                case .apns: .ios
                case .fcm: .android
                case .web: .web
                }
            })
    }
}
