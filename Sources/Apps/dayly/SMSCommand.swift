import ArgumentParser
import DaylyServer

struct SMSCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sms",
        abstract: "Stops invitation SMS to a number for good, or allows them again.",
        discussion: """
            For people who answer STOP, or ask by other means. Only an HMAC of the number is kept. Sign-in codes still go \
            there: who gets one has asked for it.
            """,
        subcommands: [Stop.self, Allow.self])

    struct Stop: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "No invitation SMS to this number from anybody.")

        @OptionGroup var options: ConfigurationOptions

        @Argument(help: "The phone number, with its + and country code.")
        var number: String

        func run() async throws {
            let (configuration, logger) = try await options.load()
            let isNew = try await OptOuts.run(configuration, logger: logger) { try await $0.stop(number) }
            Terminal.print(isNew ? "The number gets no more invitation SMS." : "It was stopped already.")
        }
    }

    struct Allow: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Invitation SMS to this number again.")

        @OptionGroup var options: ConfigurationOptions

        @Argument(help: "The phone number, with its + and country code.")
        var number: String

        func run() async throws {
            let (configuration, logger) = try await options.load()
            let isNew = try await OptOuts.run(configuration, logger: logger) { try await $0.allow(number) }
            Terminal.print(isNew ? "The number gets invitation SMS again." : "It was not stopped.")
        }
    }
}
