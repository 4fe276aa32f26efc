import ArgumentParser
import CommandKit
import DaylyServer
import Foundation

/// The `dayly` command. Exit status: 0 success, 1 failure, 2 wrong use, 3 a finding (audit, bucket, doctor, otp explain, and where a product says so).
@main
enum Main {
    static func main() async {
        // A command ends in its own way also when nobody reads its output any more.
        signal(SIGPIPE, SIG_IGN)
        do {
            var command = try DaylyCommand.parseAsRoot()
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
        } catch {
            Terminal.end(with: error)
        }
    }
}

struct DaylyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dayly",
        abstract: "Runs Dayly: one photo a day for small groups, gone after 48 hours.",
        discussion: """
            Configuration comes from DAYLY_… environment variables, then from the --config files; \
            `dayly config` shows the settings in force. Without --config, the installed command reads \
            /etc/dayly/dayly.yaml and /etc/dayly/secrets.yaml; where root starts it, it then goes on as the user dayly.

            Exit status: 0 success, 1 failure, 2 wrong use, 3 a finding (audit, bucket, doctor, otp explain, and where a product says so).
            """,
        version: "dayly \(Version.description)",
        subcommands: [
            ServeCommand.self, MigrateCommand.self, SweepCommand.self, AuditCommand.self, DoctorCommand.self,
            RestoreCommand.self, BucketCommand.self, SMSCommand.self, PushCommand.self,
        ] + Features.commands(ConfigurationOptions.self) + [
            ConfigCommand.self, OTPCommand.self, OpenAPICommand.self,
        ])
}
