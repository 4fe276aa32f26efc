import ArgumentParser
import DaylyServer

struct MigrateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Brings the database's schema up to date.",
        discussion: "Safe to run again, and by several at once.")

    @OptionGroup var options: ConfigurationOptions

    @Flag(help: "Only say how the database stands; exit status 1 when the service could not run on it.")
    var status = false

    func run() async throws {
        let (configuration, logger) = try await options.load(for: .migrations)
        if status {
            let report = try await SchemaCommand.status(configuration: configuration, logger: logger)
            Terminal.print(report.text)
            if !report.isServable { throw Status.failed.exitCode }
        } else {
            let applied = try await SchemaCommand.migrate(configuration: configuration, logger: logger)
            for name in applied { Terminal.print("applied \(name)") }
            Terminal.print(applied.isEmpty ? "Nothing to do: the database is up to date." : "Done.")
        }
    }
}
