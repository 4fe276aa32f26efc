import ArgumentParser
import DaylyServer

struct PushTestCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "push", abstract: "Looks after push messages.", subcommands: [Test.self])

    struct Test: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract:
                "Sends a test message to one device, and says what its provider answers and what mends it.",
            discussion: "Exit status 1 when the provider does not accept it.")

        @OptionGroup var options: ConfigurationOptions

        @Argument(help: "The token that the app registers: of APNs in hexadecimal digits, or of FCM.")
        var deviceToken: String

        @Option(help: "ios or android; what the token looks like unless given.")
        var platform: String?

        func run() async throws {
            let (configuration, logger) = try await options.load()
            let report = try await PushCommand.test(
                deviceToken, platform: platform, configuration: configuration, logger: logger)
            Terminal.print(report.text)
            if !report.isAccepted { throw Status.failed.exitCode }
        }
    }
}
