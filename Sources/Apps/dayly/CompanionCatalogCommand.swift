import ArgumentParser
import Companion
import DaylyServer
import Foundation

extension CompanionCommand.CatalogCommand {
    struct Check: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Prints the differences from what is in force.",
            discussion: "Exit status 3 if the file breaks a bound.")

        @OptionGroup var options: ConfigurationOptions

        @Argument(help: "The catalogue, as JSON.", completion: .file(extensions: ["json"]))
        var file: String

        func run() async throws {
            let (configuration, logger) = try await options.load()
            let check = try await CompanionAction.check(file, configuration: configuration, logger: logger)
            try check.show()
        }
    }

    struct Propose: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Checks a catalogue and stores it as the one open proposal.",
            discussion: """
                It takes the place of an earlier proposal. Exit status 3 if the file breaks a bound; it is then not stored.
                """)

        @OptionGroup var options: ConfigurationOptions

        @OptionGroup var operatorOptions: OperatorOptions

        @Argument(help: "The catalogue, as JSON.", completion: .file(extensions: ["json"]))
        var file: String

        func run() async throws {
            let (configuration, logger) = try await options.load()
            let check = try await CompanionAction.propose(
                file, by: operatorOptions.name, configuration: configuration, logger: logger)
            try check.show()
            Terminal.print("This is the open proposal. Somebody else has to approve it.")
        }
    }

    struct Approve: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Puts the open proposal in force as the next version.",
            discussion: """
                Exit status 1 unless the file is what another person has proposed; 3 if it breaks a bound by now.
                """)

        @OptionGroup var options: ConfigurationOptions

        @OptionGroup var operatorOptions: OperatorOptions

        @Argument(help: "The proposed catalogue, as JSON.", completion: .file(extensions: ["json"]))
        var file: String

        func run() async throws {
            let (configuration, logger) = try await options.load()
            let check = try await CompanionAction.approve(
                file, by: operatorOptions.name, configuration: configuration, logger: logger)
            try check.show()
            Terminal.print("Version \(check.version + 1) is in force.")
        }
    }
}

/// The person who runs a command.
struct OperatorOptions: ParsableArguments {
    @Option(help: "Your name.")
    var by: String

    /// Without blanks around it.
    var name: String { by.trimmingCharacters(in: .whitespacesAndNewlines) }

    func validate() throws {
        guard (1...100).contains(name.unicodeScalars.count) else {
            throw ValidationError("--by needs a name of 1 to 100 characters.")
        }
    }
}

extension CompanionCatalogueCheck {
    /// - Throws: the exit status 3 if the catalogue breaks a bound.
    fileprivate func show() throws {
        if !differences.isEmpty {
            Terminal.print(differences.joined(separator: "\n"))
        } else if violations.isEmpty {
            Terminal.print("Nothing differs from version \(version).")
        }
        guard !violations.isEmpty else { return }
        for violation in violations { Terminal.warn(violation) }
        throw Status.foundSomething.exitCode
    }
}
