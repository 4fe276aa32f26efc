import ArgumentParser
import DaylyServer

struct ConfigCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Shows what is in force and where it comes from, secrets masked.",
        discussion: "Exit status 1 when the configuration has problems; `serve` would not start with it.")

    @OptionGroup var options: ConfigurationOptions

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        let values = try await options.values()
        let listing = ConfigurationListing(values: values)
        if json {
            try Terminal.printJSON(listing.rows)
        } else {
            Terminal.print(listing.text)
        }
        for unknown in values.unknown { Terminal.warn(unknown.message) }
        _ = try ServerConfiguration(values: values)
    }
}
