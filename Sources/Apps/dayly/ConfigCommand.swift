import ArgumentParser
import CommandKit
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

    @Option(help: "Print the value of one setting as it is, also a secret one, for a script.")
    var value: String?

    func run() async throws {
        if markdown { return Terminal.print(ConfigurationListing.markdown) }
        let values = try options.values()
        if let value {
            guard values.declared.contains(where: { $0.key == value }) else {
                throw ValidationError("\(value) is not a setting; `dayly config` lists all of them.")
            }
            return Terminal.print(values[value]?.text ?? "")
        }
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
