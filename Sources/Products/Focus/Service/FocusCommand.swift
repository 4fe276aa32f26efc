import ArgumentParser
import CommandKit
import FeatureKit
import Foundation
import Notifications
import Postgres

/// `dayly focus`.
package struct FocusCommand<Options: CommandOptions>: ParsableCommand {
    package static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "focus", abstract: "Runs the jobs of Focus, and gives Focus Pro.",
            subcommands: [Run.self, Pro.self])
    }

    package init() {}

    struct Run: AsyncParsableCommand {
        static var configuration: CommandConfiguration {
            CommandConfiguration(
                commandName: "run", abstract: "Runs each job of Focus once, and says what it did.",
                discussion: """
                    `serve` does the same all the time; any number of processes may do so at once.
                    """)
        }

        @OptionGroup var options: Options

        @Flag(help: "Print JSON.")
        var json = false

        func run() async throws {
            let place = try options.place()
            try place.requireOffered("focus")
            let report = try await place.onAgreedTime { database in
                try await FocusFeature.runJobs(
                    place.settings(), postgres: database,
                    notifications: NotificationOutbox(platforms: place.pushPlatforms))
            }
            if json { try Terminal.printJSON(report) } else { Terminal.print(report.text) }
        }
    }

    struct Pro: AsyncParsableCommand {
        static var configuration: CommandConfiguration {
            CommandConfiguration(
                commandName: "pro",
                abstract: "Sets the end of a user's Focus Pro to the end of a day in UTC.",
                discussion: """
                    It replaces an end that is later. Exit status 1 if the user has not joined Focus.
                    """)
        }

        @OptionGroup var options: Options

        @Argument(help: "The user's id.")
        var user: String

        @Option(help: "The last day with Focus Pro, such as 2026-12-31.")
        var until: String

        func validate() throws {
            guard until.wholeMatch(of: /[0-9]{4}-[0-9]{2}-[0-9]{2}/) != nil else {
                throw ValidationError("--until needs a day such as 2026-12-31.")
            }
        }

        func run() async throws {
            let place = try options.place()
            guard let id = UUID(uuidString: user), user.utf8.count == 36 else { throw Self.unknownUser }
            guard until.utf8.count == 10, let date = PostgresDate(until) else {
                throw CommandFailure(
                    reason: "The value of --until is not a day.", remedy: "Days look like 2026-12-31.")
            }
            let isSet = try await place.withDatabase { database in
                try await FocusFeature.setPro(database, of: UserID(id), until: date)
            }
            guard isSet else { throw Self.unknownUser }
            Terminal.print("This user has Focus Pro until the end of \(until), UTC.")
        }

        private static var unknownUser: CommandFailure {
            CommandFailure(
                reason: "This user has not joined Focus, or does not exist.",
                remedy:
                    "Give the user's id, as in the export of the account, after the user has joined Focus.")
        }
    }
}

extension FocusRunReport {
    fileprivate var text: String {
        """
        focus_due: \(focusDue.handled) due, \(focusDue.posted) push messages
        focus_ends: \(focusEnds.lost) sessions lost
        focus_close: \(focusClose.weeks) weeks, \(focusClose.leagues) leagues, \(focusClose.boards) boards closed; \
        \(focusClose.seats) users considered for seats
        focus_purge: \(focusPurge.madePartitions) partitions made, \(focusPurge.droppedPartitions) dropped; \
        \(focusPurge.deletedRows) rows deleted
        """
    }
}
