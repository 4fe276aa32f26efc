import ArgumentParser
import DaylyServer

struct BucketCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bucket",
        abstract: "Sets up the bucket: lifecycle, CORS, public access and policy.",
        discussion: """
            storage/README.md explains each setting. `apply` needs credentials that may change the bucket: set \
            the owner's in DAYLY_STORAGE_S3_ACCESS_KEY_ID and DAYLY_STORAGE_S3_SECRET_ACCESS_KEY for this one \
            call. The service needs only the permissions that `policy` prints.
            """,
        subcommands: [Show.self, Apply.self, Policy.self])

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Shows the state of the bucket's settings; changes nothing.",
            discussion: "Exit status 3 if a setting is not correct.")

        @OptionGroup var options: ConfigurationOptions

        @Flag(help: "Print JSON.")
        var json = false

        func run() async throws {
            try await BucketOutput(json: json).run(options, mode: .show)
        }
    }

    struct Apply: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Sets the settings that differ, and reports those that the server does not have.",
            discussion: """
                Keeps the rules and statements of others, and settings that are already correct, so that it can be \
                repeated. It never changes versioning or object lock. Exit status 1 if a setting could not be set, 3 \
                if Dayly must not use the bucket.
                """)

        @OptionGroup var options: ConfigurationOptions

        @Flag(help: "Only report the settings that would change; exit status 3 if there are any.")
        var dryRun = false

        @Flag(help: "Create the bucket first if it does not exist.")
        var create = false

        @Flag(help: "Print JSON.")
        var json = false

        func validate() throws {
            if dryRun && create { throw ValidationError("--dry-run and --create exclude each other.") }
        }

        func run() async throws {
            try await BucketOutput(json: json).run(
                options, mode: dryRun ? .show : .apply(creating: create))
        }
    }

    struct Policy: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Prints the permissions that the service's credentials need, as an AWS policy.")

        @OptionGroup var options: ConfigurationOptions

        func run() async throws {
            let (configuration, _) = try await options.load()
            guard let policy = try BucketAction.policy(configuration) else {
                return Terminal.warn(BucketOutput.noBucket)
            }
            Terminal.print(policy)
        }
    }
}

/// Prints the state of the settings and chooses the exit status.
private struct BucketOutput {
    static let noBucket = "storage.kind is filesystem: a folder has no bucket settings."

    let json: Bool

    func run(_ options: ConfigurationOptions, mode: BucketAction.Mode) async throws {
        let (configuration, logger) = try await options.load()
        let rows = try await BucketAction.run(configuration, mode: mode, logger: logger)
        if json {
            try Terminal.printJSON(rows)
        } else if rows.isEmpty {
            Terminal.print(Self.noBucket)
        } else {
            for row in rows { Terminal.print(row.text) }
        }
        if let status = status(rows, mode) { throw status.exitCode }
    }

    private func status(_ rows: [BucketRow], _ mode: BucketAction.Mode) -> Status? {
        let states = Set(rows.map(\.state))
        if states.contains(.failed) { return .failed }
        if case .apply = mode, states.contains(.forbidden) { return .failed }
        return states.isDisjoint(with: [.refused, .differs, .forbidden]) ? nil : .foundSomething
    }
}
