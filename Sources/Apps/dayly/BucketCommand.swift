import ArgumentParser
import DaylyServer

struct BucketCommands: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bucket",
        abstract: "Sets up the bucket: lifecycle, CORS, public access and policy.",
        discussion: """
            What each setting is for stands in storage/README.md. `apply` needs credentials that may change the \
            bucket; give it the owner's by DAYLY_STORAGE_S3_ACCESS_KEY_ID and DAYLY_STORAGE_S3_SECRET_ACCESS_KEY \
            for this one call, and the service those that `policy` describes.
            """,
        subcommands: [Show.self, Apply.self, Policy.self])

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Says how the bucket's settings stand; changes nothing.",
            discussion: "Exit status 3 when something is not as it should be.")

        @OptionGroup var options: ConfigurationOptions

        @Flag(help: "Print JSON.")
        var json = false

        func run() async throws {
            try await BucketOutput(json: json).run(options, mode: .show)
        }
    }

    struct Apply: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Sets what differs, and says what the server does not have.",
            discussion: """
                Rules and statements of others stay; what is already in order is not touched, so that it can be run \
                again. Versioning and object lock are never changed. Exit status 1 when something could not be set, \
                3 when the bucket is one that Dayly must not use.
                """)

        @OptionGroup var options: ConfigurationOptions

        @Flag(help: "Only say what would be set; exit status 3 when something would.")
        var dryRun = false

        @Flag(help: "Make the bucket first if it is not there.")
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
            abstract: "Prints what the service's credentials have to be allowed, as an AWS policy.")

        @OptionGroup var options: ConfigurationOptions

        func run() async throws {
            let (configuration, _) = try await options.load()
            guard let policy = try BucketCommand.policy(configuration) else {
                return Terminal.warn(BucketOutput.noBucket)
            }
            Terminal.print(policy)
        }
    }
}

/// Says how the settings stand, and ends with what follows from it.
private struct BucketOutput {
    static let noBucket = "storage.kind is filesystem: files need no settings."

    let json: Bool

    func run(_ options: ConfigurationOptions, mode: BucketCommand.Mode) async throws {
        let (configuration, logger) = try await options.load()
        let rows = try await BucketCommand.run(configuration, mode: mode, logger: logger)
        if json {
            try Terminal.printJSON(rows)
        } else if rows.isEmpty {
            Terminal.print(Self.noBucket)
        } else {
            for row in rows { Terminal.print(row.text) }
        }
        if let status = status(rows, mode) { throw status.exitCode }
    }

    private func status(_ rows: [BucketRow], _ mode: BucketCommand.Mode) -> Status? {
        let states = Set(rows.map(\.state))
        if states.contains(.failed) { return .failed }
        if case .apply = mode, states.contains(.forbidden) { return .failed }
        return states.isDisjoint(with: [.refused, .differs, .forbidden]) ? nil : .foundSomething
    }
}
