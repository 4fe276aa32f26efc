import ArgumentParser
import Companion
import DaylyServer

struct CompanionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "companion",
        abstract: "Runs the jobs of Companion, changes its catalogue and flags, and shows a ledger.",
        subcommands: [CatalogCommand.self, FlagCommand.self, LedgerCommand.self, RunCommand.self])

    struct CatalogCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "catalog", abstract: "Changes everything that Companion sells, by two people.",
            discussion: """
                A new catalogue comes into force when one person has proposed it and another one has approved it. \
                Exit status 3 if it breaks a bound.
                """,
            subcommands: [Check.self, Propose.self, Approve.self])
    }

    struct FlagCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "flag", abstract: "Sets a feature flag, which the service only tells to clients.")

        enum Position: String, ExpressibleByArgument, CaseIterable {
            case on, off
        }

        @OptionGroup var options: ConfigurationOptions

        @Argument(help: "1 to 64 of the characters a-z, 0-9, _ and the dot.")
        var name: String

        @Argument(help: "on or off.")
        var position: Position

        func run() async throws {
            let (configuration, logger) = try await options.load()
            try await CompanionAction.setFlag(
                name, isEnabled: position == .on, configuration: configuration, logger: logger)
            Terminal.print("The flag \(name) is \(position.rawValue).")
        }
    }

    struct LedgerCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "ledger", abstract: "Prints an account's ledger and memorials, for support.",
            discussion: "The oldest entry comes first. Exit status 1 if the user has not joined Companion.")

        @OptionGroup var options: ConfigurationOptions

        @Argument(help: "The user's id.")
        var user: String

        func run() async throws {
            let (configuration, logger) = try await options.load()
            let report = try await CompanionAction.account(
                of: user, configuration: configuration, logger: logger)
            Terminal.print(report.text)
        }
    }
}

extension CompanionCommand {
    struct RunCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "run", abstract: "Runs each job of Companion once, and says what it did.",
            discussion: """
                `serve` does the same all the time; any number of processes may do so at once.
                """)

        @OptionGroup var options: ConfigurationOptions

        @Flag(help: "Print JSON.")
        var json = false

        func run() async throws {
            let (configuration, logger) = try await options.load()
            let report = try await CompanionAction.run(configuration: configuration, logger: logger)
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
