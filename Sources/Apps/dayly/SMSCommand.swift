import ArgumentParser
import CommandKit
import DaylyServer

struct SMSCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sms",
        abstract: "Stops invitation SMS to a number, or allows them again.",
        discussion: """
            For people who answer STOP, or ask in another way. Only an HMAC of the number is kept. Sign-in codes are \
            still sent, because their recipient asked for them.
            """,
        subcommands: [Stop.self, Allow.self])

    struct Stop: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Stops all invitation SMS to a number.")

        @OptionGroup var options: ConfigurationOptions

        @Argument(help: "The phone number, with its + and country code.")
        var number: String

        func run() async throws {
            let (configuration, logger) = try options.load()
            let isNew = try await SMSAction.stop(number, configuration: configuration, logger: logger)
            Terminal.print(
                isNew ? "The number gets no more invitation SMS." : "The number was stopped already.")
        }
    }

    struct Allow: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Allows invitation SMS to a number again.")

        @OptionGroup var options: ConfigurationOptions

        @Argument(help: "The phone number, with its + and country code.")
        var number: String

        func run() async throws {
            let (configuration, logger) = try options.load()
            let isNew = try await SMSAction.allow(number, configuration: configuration, logger: logger)
            Terminal.print(isNew ? "The number gets invitation SMS again." : "The number was not stopped.")
        }
    }
}
