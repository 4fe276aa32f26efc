import ArgumentParser
import CommandKit
import DaylyServer

struct BucketCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bucket",
        abstract: "Shows the bucket's settings, and the rights that the service needs in it.",
        discussion: "storage/README.md explains each setting.", subcommands: [Show.self, Policy.self])

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Shows the bucket's settings, and the lines by which its owner mends them.",
            discussion: "Changes nothing. Exit status 3 if a setting is not correct.")

        @OptionGroup var options: ConfigurationOptions

        @Flag(help: "Print JSON.")
        var json = false

        func run() async throws {
            let (configuration, logger) = try options.load()
            let rows = try await BucketAction.run(configuration, logger: logger)
            if json {
                try Terminal.printJSON(rows)
            } else if rows.isEmpty {
                Terminal.print(BucketCommand.noBucket)
            } else {
                for row in rows { Terminal.print(row.text) }
            }
            if !Set(rows.map(\.state)).isDisjoint(with: [.refused, .differs, .forbidden]) {
                throw Status.foundSomething.exitCode
            }
        }
    }

    struct Policy: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Prints the permissions that the service's credentials need, as an AWS policy.")

        @OptionGroup var options: ConfigurationOptions

        func run() async throws {
            let (configuration, _) = try options.load()
            guard let policy = try BucketAction.policy(configuration) else {
                return Terminal.warn(BucketCommand.noBucket)
            }
            Terminal.print(policy)
        }
    }

    private static let noBucket = "storage.kind is filesystem: a folder has no bucket settings."
}
