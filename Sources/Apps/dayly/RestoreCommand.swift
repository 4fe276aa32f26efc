import ArgumentParser
import CommandKit
import DaylyServer
import Restoration

struct RestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Repeats the erasures that a restored backup has undone.",
        discussion: """
            The bucket keeps a journal of erasures as keyed hashes. This command erases accounts, groups, memberships and \
            photos again, and ends sessions and invitations again, that the journal says were erased or had ended. If the \
            journal has a gap, all sessions and open invitations end, and photos whose objects are gone are hidden; the \
            output says so. `serve` does the same before it serves. Stop every service before you restore a database. \
            Running the command again continues a restore that was killed.
            """)

    @OptionGroup var options: ConfigurationOptions

    @Flag(help: "Use this bucket even if it has no journal, or the journal of another database.")
    var acceptBucket = false

    @Flag(
        help: ArgumentHelp(
            "Use this auth.secret although the database was used with another one, which is lost.",
            discussion:
                "Everybody is signed out; blocks of deleted accounts and STOPs are not recognised any more."))
    var acceptSecret = false

    @Flag(help: "Continue without the parts of the journal that cannot be read.")
    var lenient = false

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        let (configuration, logger) = try options.load()
        let line = ProgressLine()
        let report = try await RestoreAction.run(
            acceptsBucket: acceptBucket, acceptsSecret: acceptSecret, leniently: lenient,
            configuration: configuration, logger: logger
        ) { progress in
            guard !json else { return }
            line.show("\(progress.part): \(progress.changed) changed, \(progress.rows) rows checked in all")
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
