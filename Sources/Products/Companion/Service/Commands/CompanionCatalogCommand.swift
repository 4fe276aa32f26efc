import ArgumentParser
import CommandKit
import Foundation

extension CompanionCommand.CatalogCommand {
    struct Check: AsyncParsableCommand {
        static var configuration: CommandConfiguration {
            CommandConfiguration(
                commandName: "check", abstract: "Prints the differences from what is in force.",
                discussion: "Exit status 3 if the file breaks a bound.")
        }

        @OptionGroup var options: Options

        @Argument(help: "The catalogue, as JSON.", completion: .file(extensions: ["json"]))
        var file: String

        func run() async throws {
            let check = try await options.catalogue(in: file) { desk, text in try await desk.check(text) }
            try check.show()
        }
    }

    struct Propose: AsyncParsableCommand {
        static var configuration: CommandConfiguration {
            CommandConfiguration(
                commandName: "propose",
                abstract: "Checks a catalogue and stores it as the one open proposal.",
                discussion: """
                    It takes the place of an earlier proposal. Exit status 3 if the file breaks a bound; it is then not stored.
                    """)
        }

        @OptionGroup var options: Options

        @OptionGroup var operatorOptions: OperatorOptions

        @Argument(help: "The catalogue, as JSON.", completion: .file(extensions: ["json"]))
        var file: String

        func run() async throws {
            let check = try await options.catalogue(in: file) { desk, text in
                try await desk.propose(text, by: operatorOptions.name)
            }
            try check.show()
            Terminal.print("This is the open proposal. Somebody else has to approve it.")
        }
    }

    struct Approve: AsyncParsableCommand {
        static var configuration: CommandConfiguration {
            CommandConfiguration(
                commandName: "approve", abstract: "Puts the open proposal in force as the next version.",
                discussion: """
                    Exit status 1 unless the file is what another person has proposed; 3 if it breaks a bound by now.
                    """)
        }

        @OptionGroup var options: Options

        @OptionGroup var operatorOptions: OperatorOptions

        @Argument(help: "The proposed catalogue, as JSON.", completion: .file(extensions: ["json"]))
        var file: String

        func run() async throws {
            let check = try await options.catalogue(in: file) { desk, text in
                try await desk.approve(text, by: operatorOptions.name)
            }
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

extension CommandOptions {
    /// Does something with the text of a file.
    ///
    /// - Throws: `CommandFailure` for a file that cannot be read or is not JSON, and for a refusal.
    fileprivate func catalogue(
        in path: String,
        _ work: (CompanionCatalogueDesk, String) async throws -> CompanionCatalogueCheck
    ) async throws -> CompanionCatalogueCheck {
        let place = try place()
        return try await place.withDatabase { database in
            guard let data = FileManager.default.contents(atPath: path), data.count <= 1 << 20,
                let text = String(bytes: data, encoding: .utf8)
            else {
                throw CommandFailure(
                    reason: "The catalogue cannot be read: \(path).",
                    remedy: "Give a file of UTF-8 with at most 1 MiB.")
            }
            do {
                return try await work(CompanionCatalogueDesk(postgres: database), text)
            } catch let refusal as CompanionCatalogueRefusal {
                throw CommandFailure(refusal)
            }
        }
    }
}

extension CommandFailure {
    fileprivate init(_ refusal: CompanionCatalogueRefusal) {
        switch refusal {
        case .notJSON(let sentence):
            self.init(reason: "The catalogue is not JSON: \(sentence)", remedy: "Correct the file.")
        case .noProposal:
            self.init(
                reason: "Nobody has proposed a catalogue.",
                remedy: "Somebody else proposes the file first: dayly companion catalog propose.")
        case .notProposed:
            self.init(
                reason: "The file is not what was proposed.",
                remedy: "Approve the proposed file, or propose this one.")
        case .ownProposal:
            self.init(
                reason: "You proposed this catalogue yourself.",
                remedy: "Somebody else has to approve it.")
        }
    }
}
