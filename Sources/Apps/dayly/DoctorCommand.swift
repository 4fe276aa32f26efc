import ArgumentParser
import DaylyServer
import Logging

struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Looks for what is wrong and says what mends it.",
        discussion: """
            Looks at the configuration, the database and its migrations, the bucket (by a probe object that it \
            deletes again, and by reading it as a phone would), its settings, clocks, SMS gateways and the picture \
            worker. Exit status 3 when something is wrong; a warning alone is none.
            """)

    @OptionGroup var options: ConfigurationOptions

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        // What doctor has to say it says itself.
        LoggingSystem.bootstrap { _ in SwiftLogNoOpLogHandler() }
        let doctor = Doctor(
            environment: options.environment, file: options.file, logger: Logger(label: "dayly.doctor"))
        let findings = await doctor.examine()
        let problems = findings.count { $0.verdict == .problem }
        if json {
            try Terminal.printJSON(findings)
        } else {
            for finding in findings { Terminal.print(finding.text) }
            let warnings = findings.count { $0.verdict == .warning }
            let rest = warnings == 0 ? "" : " \(warnings) to know of."
            Terminal.print(problems == 0 ? "\nAll is well.\(rest)" : "\n\(problems) to mend.\(rest)")
        }
        if problems > 0 { throw Status.foundSomething.exitCode }
    }
}
