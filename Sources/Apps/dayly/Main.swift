import ArgumentParser
import DaylyServer

/// The `dayly` command. Exit status: 0 done, 1 failed, 2 used wrongly, 3 found something (audit, bucket, doctor, otp explain).
@main
enum Main {
    static func main() async {
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
            Configuration comes from DAYLY_… environment variables, then from the --config file; \
            `dayly config` shows what is in force.

            Exit status: 0 done, 1 failed, 2 used wrongly, 3 found something (audit, bucket, doctor, otp explain).
            """,
        version: "dayly \(Version.text)",
        subcommands: [
            ServeCommand.self, MigrateCommand.self, SweepCommand.self, AuditCommand.self, DoctorCommand.self,
            RestoreDatabaseCommand.self, BucketCommands.self, SMSCommand.self, PushTestCommand.self,
            ConfigCommand.self, OTPCommand.self, OpenAPICommand.self,
        ])
}
