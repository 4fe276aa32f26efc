import ArgumentParser
import DaylyServer

struct RestoreDatabaseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "After a backup was restored: erases what must not come back.",
        discussion: """
            The bucket remembers what was erased, as keyed hashes. Accounts, groups, memberships and photos that had \
            gone go again, with them photos whose objects are gone; every session ends and every open invitation is \
            revoked, because which of them were over is not known. `serve` does the same before it serves, where it \
            can tell; end every service before you restore a database.
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
        let report = try await RestoreCommand.run(
            acceptsBucket: acceptBucket, leniently: lenient, configuration: configuration, logger: logger)
        if json {
            try Terminal.printJSON(report ?? RestoreReport())
        } else {
            Terminal.print(
                report.map { "\($0.text)." } ?? "Nothing to do: the database has not gone back in time.")
        }
    }
}
