import ArgumentParser
import CommandKit
import DaylyServer

struct PushCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "push", abstract: "Tests push messages.", subcommands: [Test.self])

    struct Test: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Sends a test message to one device, and reports the provider's answer with a remedy.",
            discussion: "Exit status 1 if the provider does not accept the message.")

        @OptionGroup var options: ConfigurationOptions

        @Argument(
            help:
                "What the app registers: the token of APNs as hexadecimal digits, that of FCM, or a browser's subscription as JSON."
        )
        var deviceToken: String

        @Option(help: "ios, android or web; by default the form of the token decides.")
        var platform: String?

        func run() async throws {
            let (configuration, logger) = try options.load()
            let report = try await PushAction.test(
                deviceToken, platform: platform, configuration: configuration, logger: logger)
            Terminal.print(report.text)
            if !report.isAccepted { throw Status.failed.exitCode }
        }
    }
}
