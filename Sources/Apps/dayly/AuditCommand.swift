import ArgumentParser
import DaylyServer

struct AuditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Compares bucket and database both ways, and both with the promise of 48 hours.",
        discussion: """
            A dry run unless told --delete. Exit status 3 when something is not in order; with --delete, when \
            something is left that could not be mended.
            """)

    @OptionGroup var options: ConfigurationOptions

    @Flag(help: "Delete objects that no row knows and that are older than the longest upload.")
    var delete = false

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        throw Status.failed.exitCode
    }
}
