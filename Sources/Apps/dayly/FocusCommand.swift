import ArgumentParser
import DaylyServer
import Focus

struct FocusCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "focus", abstract: "Runs the jobs of Focus, and gives Focus Pro.",
        subcommands: [Run.self, Pro.self])

    struct Run: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Runs each job of Focus once, and says what it did.",
            discussion: """
                `serve` does the same all the time; any number of processes may do so at once.
                """)

        @OptionGroup var options: ConfigurationOptions

        @Flag(help: "Print JSON.")
        var json = false

        func run() async throws {
            let (configuration, logger) = try await options.load()
            let report = try await FocusAction.run(configuration: configuration, logger: logger)
            if json { try Terminal.printJSON(report) } else { Terminal.print(report.text) }
        }
    }

    struct Pro: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Sets the end of a user's Focus Pro to the end of a day in UTC.",
            discussion: """
                It replaces an end that is later. Exit status 1 if the user has not joined Focus.
                """)

        @OptionGroup var options: ConfigurationOptions

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
            let (configuration, logger) = try await options.load()
            try await FocusAction.setPro(
                of: user, until: until, configuration: configuration, logger: logger)
            Terminal.print("This user has Focus Pro until the end of \(until), UTC.")
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
