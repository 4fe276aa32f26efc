import ArgumentParser
import DaylyServer

struct RestoreDatabaseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "After a backup was restored: erases what must not come back.",
        discussion: """
            The bucket remembers as keyed hashes what was erased and what ended. Accounts, groups, memberships and photos \
            that had gone go again. Sessions and invitations that had ended end again. Where the journal cannot tell, all \
            sessions and open invitations end, and photos whose objects are gone are hidden; the output says so. \
            `serve` does the same before it serves. End every service before you restore a database. A restore that was \
            killed goes on where it was.
            """)

    @OptionGroup var options: ConfigurationOptions

    @Flag(help: "Use this bucket with this database, though it has no journal or another database's.")
    var acceptBucket = false

    @Flag(help: "Go on without what cannot be read of the journal.")
    var lenient = false

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        let (configuration, logger) = try await options.load()
        let line = ProgressLine()
        let report = try await RestoreCommand.run(
            acceptsBucket: acceptBucket, leniently: lenient, configuration: configuration, logger: logger
        ) { progress in
            guard !json else { return }
            line.show("\(progress.part): \(progress.changed) changed, \(progress.rows) rows looked at in all")
        }
        line.clear()
        if json {
            try Terminal.printJSON(report ?? RestoreReport())
        } else {
            Terminal.print(
                report.map { "\($0.text)." } ?? "Nothing to do: the database has not gone back in time.")
        }
    }
}
