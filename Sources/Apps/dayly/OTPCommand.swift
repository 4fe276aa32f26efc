import ArgumentParser
import Auth
import DaylyServer

struct OTPCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "otp", abstract: "About sign-in codes.", subcommands: [ExplainCommand.self])
}

struct ExplainCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Says why a number would get a code now, or what bars it.",
        discussion: """
            Sends nothing and counts nothing. The number is masked in what is printed. Exit status 3 when something \
            bars a code.
            """)

    @OptionGroup var options: ConfigurationOptions

    @Argument(help: "The number, with its + and country code.")
    var number: String

    @Option(help: "The address of the client that asks.")
    var address: String?

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        let (configuration, logger) = try await options.load()
        let diagnosis = try await CodeCommand.explain(
            number, from: address, configuration: configuration, logger: logger)
        if json {
            try Terminal.printJSON(diagnosis)
        } else {
            for check in diagnosis.checks { Terminal.print(check.text) }
            let number = diagnosis.number ?? "That"
            Terminal.print(
                diagnosis.wouldSend
                    ? "\n\(number) would get a code now." : "\n\(number) would get no code now."
            )
        }
        if !diagnosis.wouldSend { throw Status.foundSomething.exitCode }
    }
}

extension CodeDiagnosis.Check {
    fileprivate var text: String {
        var text = "\(bars ? "BARS" : "ok  ")  \(name)"
        if let used, let limit { text += ": \(used) of \(limit)" }
        if let note { text += ": \(note)" }
        if let freeInSeconds { text += ", free in \(freeInSeconds) s" }
        return text
    }
}
