import ArgumentParser
import DaylyServer

struct ConfigCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Shows the settings in force and their sources, with secrets masked.",
        discussion: "Exit status 1 if the configuration has faults, with which `serve` would not start.")

    @OptionGroup var options: ConfigurationOptions

    @Flag(help: "Print JSON.")
    var json = false

    @Flag(help: "Print docs/configuration.md, which lists every setting.")
    var markdown = false

    func run() async throws {
        if markdown { return Terminal.print(ConfigurationListing.markdown) }
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
