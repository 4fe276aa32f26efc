import ArgumentParser
import CommandKit
import DaylyServer

struct MigrateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Brings the database's schema up to date.",
        discussion: "It may be repeated, and several may run at once.")

    @OptionGroup var options: ConfigurationOptions

    @Flag(help: "Only report the state of the schema; exit status 1 if the service could not run on it.")
    var status = false

    @Flag(
        help: """
            Apply only migrations that older versions can run on, and only to a database that has a schema: for a start \
            that nobody looks at.
            """)
    var compatible = false

    func run() async throws {
        let (configuration, logger) = try options.load(for: .migrations)
        if status {
            let report = try await MigrateAction.status(configuration: configuration, logger: logger)
            Terminal.print(report.text)
            if !report.isServable { throw Status.failed.exitCode }
        } else {
            let applied = try await MigrateAction.migrate(
                compatibly: compatible, configuration: configuration, logger: logger)
            for name in applied { Terminal.print("applied \(name)") }
            Terminal.print(
                applied.isEmpty ? "Nothing to do: the database has this version's migrations." : "Done.")
        }
    }
}
