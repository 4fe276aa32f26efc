import ArgumentParser
import CommandKit
import FeatureKit
import Foundation
import Notifications

/// `dayly companion`.
package struct CompanionCommand<Options: CommandOptions>: ParsableCommand {
    package static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "companion",
            abstract: "Runs the jobs of Companion, changes its catalogue and flags, and shows a ledger.",
            subcommands: [CatalogCommand.self, FlagCommand.self, LedgerCommand.self, RunCommand.self])
    }

    package init() {}

    struct CatalogCommand: ParsableCommand {
        static var configuration: CommandConfiguration {
            CommandConfiguration(
                commandName: "catalog", abstract: "Changes everything that Companion sells, by two people.",
                discussion: """
                    A new catalogue comes into force when one person has proposed it and another one has approved it. \
                    Exit status 3 if it breaks a bound.
                    """,
                subcommands: [Check.self, Propose.self, Approve.self])
        }
    }

    struct FlagCommand: AsyncParsableCommand {
        static var configuration: CommandConfiguration {
            CommandConfiguration(
                commandName: "flag", abstract: "Sets a feature flag, which the service only tells to clients."
            )
        }

        enum Position: String, ExpressibleByArgument, CaseIterable {
            case on, off
        }

        @OptionGroup var options: Options

        @Argument(help: "1 to 64 of the characters a-z, 0-9, _ and the dot.")
        var name: String

        @Argument(help: "on or off.")
        var position: Position

        func run() async throws {
            let isSet = try await options.place().withDatabase { database in
                try await CompanionFeature.setFlag(database, name, isEnabled: position == .on)
            }
            guard isSet else {
                throw CommandFailure(
                    reason: "This is not the name of a flag.",
                    remedy: "Names have 1 to 64 of the characters a-z, 0-9, _ and the dot.")
            }
            Terminal.print("The flag \(name) is \(position.rawValue).")
        }
    }

    struct LedgerCommand: AsyncParsableCommand {
        static var configuration: CommandConfiguration {
            CommandConfiguration(
                commandName: "ledger", abstract: "Prints an account's ledger and memorials, for support.",
                discussion:
                    "The oldest entry comes first. Exit status 1 if the user has not joined Companion.")
        }

        @OptionGroup var options: Options

        @Argument(help: "The user's id.")
        var user: String

        func run() async throws {
            let unknownUser = CommandFailure(
                reason: "This user has not joined Companion, or does not exist.",
                remedy: "Give the user's id, as in the export of the account.")
            let place = try options.place()
            guard let id = UUID(uuidString: user), user.utf8.count == 36 else { throw unknownUser }
            let report = try await place.withDatabase { database in
                try await CompanionFeature.account(database, of: UserID(id))
            }
            guard let report else { throw unknownUser }
            Terminal.print(report.text)
        }
    }
}

extension CompanionCommand {
    struct RunCommand: AsyncParsableCommand {
        static var configuration: CommandConfiguration {
            CommandConfiguration(
                commandName: "run", abstract: "Runs each job of Companion once, and says what it did.",
                discussion: """
                    `serve` does the same all the time; any number of processes may do so at once.
                    """)
        }

        @OptionGroup var options: Options

        @Flag(help: "Print JSON.")
        var json = false

        func run() async throws {
            let place = try options.place()
            try place.requireOffered("companion")
            let report = try await place.onAgreedTime { database in
                try await CompanionFeature.runJobs(
                    place.settings(), postgres: database,
                    notifications: NotificationOutbox(platforms: place.pushPlatforms))
            }
            if json { try Terminal.printJSON(report) } else { Terminal.print(report.text) }
        }
    }
}

extension CompanionRunReport {
    fileprivate var text: String {
        """
        companion_roll: \(companionRoll.accounts) accounts
        companion_nightly: \(companionNightly.handled) due, \(companionNightly.posted) push messages
        companion_summaries: \(companionSummaries.accounts) accounts
        companion_purge: \(companionPurge.deletedRows) rows deleted
        """
    }
}

extension CompanionAccountReport {
    fileprivate var text: String {
        let lines =
            entries.map { "\($0.at) \($0.kind) \($0.ref): \($0.amount) \($0.currency), then \($0.balance)" }
            + memorials.map { "memorial: \($0.name), \($0.species), \($0.bornOn) to \($0.diedOn)" }
        return (lines + ["\(energy) energy, \(gems) gems"]).joined(separator: "\n")
    }
}
