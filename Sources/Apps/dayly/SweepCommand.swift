import ArgumentParser
import DaylyServer

struct SweepCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sweep",
        abstract: "Deletes expired photos and abandoned uploads, objects before rows.",
        discussion: "`serve` does the same all the time; any number may run side by side.")

    @OptionGroup var options: ConfigurationOptions

    @Flag(help: "Sweep once and end (the default).")
    var once = false

    @Flag(help: "Sweep again and again until Ctrl-C.")
    var watch = false

    @Flag(help: "Only say what would be deleted.")
    var dryRun = false

    @Flag(help: "Print JSON.")
    var json = false

    func validate() throws {
        if once && watch { throw ValidationError("--once and --watch exclude each other.") }
        if watch && dryRun { throw ValidationError("--watch and --dry-run exclude each other.") }
    }

    func run() async throws {
        throw Status.failed.exitCode
    }
}
