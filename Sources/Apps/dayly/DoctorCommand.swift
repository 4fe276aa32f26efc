import ArgumentParser
import CommandKit
import DaylyServer
import Logging

struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Checks everything that the service needs, and names a remedy for each fault.",
        discussion: """
            Checks the configuration, the database and its migrations, the bucket (with a probe object that it \
            deletes again and reads as a phone would), the bucket's settings, whether database and bucket belong \
            together, the clocks, the SMS gateways, the push \
            providers and the photo worker. Exit status 3 if there is a fault; a warning is not a fault.
            """)

    @OptionGroup var options: ConfigurationOptions

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        // The findings say everything, so the log would only repeat them.
        LoggingSystem.bootstrap { _ in SwiftLogNoOpLogHandler() }
        let doctor = DoctorAction(
            environment: options.environment, files: try options.files(),
            logger: Logger(label: "dayly.doctor"))
        let findings = await doctor.examine()
        let problems = findings.count { $0.verdict == .problem }
        if json {
            try Terminal.printJSON(findings)
        } else {
            for finding in findings { Terminal.print(finding.text) }
            let warnings = findings.count { $0.verdict == .warning }
            let rest = warnings == 0 ? "" : " \(warnings) \(warnings == 1 ? "warning" : "warnings")."
            Terminal.print(
                problems == 0
                    ? "\nEverything is in order.\(rest)"
                    : "\n\(problems) \(problems == 1 ? "problem" : "problems").\(rest)")
        }
        if problems > 0 { throw Status.foundSomething.exitCode }
    }
}
