import ArgumentParser
import Auth
import CommandKit
import DaylyServer

struct OTPCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "otp", abstract: "Diagnoses sign-in codes.", subcommands: [Explain.self])

    struct Explain: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Says whether a number would get a code now, and which rule bars it.",
            discussion: """
                Sends nothing and counts nothing. The output masks the number. Exit status 3 if a rule bars a code.
                """)

        @OptionGroup var options: ConfigurationOptions

        @Argument(help: "The number, with its + and country code.")
        var number: String

        @Option(help: "The IP address of the client that asks for the code.")
        var address: String?

        @Flag(help: "Print JSON.")
        var json = false

        func run() async throws {
            let (configuration, logger) = try options.load()
            let diagnosis = try await OTPAction.explain(
                number, from: address, configuration: configuration, logger: logger)
            if json {
                try Terminal.printJSON(diagnosis)
            } else {
                for check in diagnosis.checks { Terminal.print(check.text) }
                let number = diagnosis.number ?? "This"
                Terminal.print(
                    diagnosis.wouldSend
                        ? "\n\(number) would get a code now." : "\n\(number) would not get a code now."
                )
            }
            if !diagnosis.wouldSend { throw Status.foundSomething.exitCode }
        }
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
