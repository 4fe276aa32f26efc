import Companion
import FeatureKit
import Foundation
import Logging
import Notifications
import Postgres
import Push

/// `dayly companion`.
package enum CompanionAction {
    /// Runs each job of Companion once.
    ///
    /// - Throws: `CommandFailure` where Companion is switched off, while the clocks of database and bucket disagree, and on a
    ///   database that does not fit.
    package static func run(
        configuration: ServerConfiguration, logger: Logger
    ) async throws -> CompanionRunReport {
        guard configuration.features.contains(.companion) else {
            throw CommandFailure(
                reason: "Companion is switched off.", remedy: "Add companion to features (DAYLY_FEATURES).")
        }
        return try await configuration.withDatabaseAndBucket(logger: logger) { place in
            try await place.onAgreedTime { database in
                try await CompanionFeature.runJobs(
                    configuration.companion, postgres: database,
                    notifications: NotificationOutbox(platforms: configuration.push.platforms))
            }
        }
    }

    /// - Throws: `CommandFailure` for a file that cannot be read or is not JSON.
    package static func check(
        _ path: String, configuration: ServerConfiguration, logger: Logger
    ) async throws -> CompanionCatalogueCheck {
        try await atDesk(configuration, logger) { desk in try await desk.check(try text(of: path)) }
    }

    /// - Throws: as `check`.
    package static func propose(
        _ path: String, by name: String, configuration: ServerConfiguration, logger: Logger
    ) async throws -> CompanionCatalogueCheck {
        try await atDesk(configuration, logger) { desk in
            try await desk.propose(try text(of: path), by: name)
        }
    }

    /// - Throws: as `check`, and `CommandFailure` unless the file is what another person has proposed.
    package static func approve(
        _ path: String, by name: String, configuration: ServerConfiguration, logger: Logger
    ) async throws -> CompanionCatalogueCheck {
        try await atDesk(configuration, logger) { desk in
            try await desk.approve(try text(of: path), by: name)
        }
    }

    /// - Throws: `CommandFailure` for a name that no flag has.
    package static func setFlag(
        _ key: String, isEnabled: Bool, configuration: ServerConfiguration, logger: Logger
    ) async throws {
        let isSet = try await configuration.withDatabase(logger: logger) { database in
            try await CompanionFeature.setFlag(database, key, isEnabled: isEnabled)
        }
        guard isSet else {
            throw CommandFailure(
                reason: "This is not the name of a flag.",
                remedy: "Names have 1 to 64 of the characters a-z, 0-9, _ and the dot.")
        }
    }

    /// - Throws: `CommandFailure` for an account that has not joined.
    package static func account(
        of user: String, configuration: ServerConfiguration, logger: Logger
    ) async throws -> CompanionAccountReport {
        guard let id = UUID(uuidString: user), user.utf8.count == 36 else { throw Self.unknownUser }
        let report = try await configuration.withDatabase(logger: logger) { database in
            try await CompanionFeature.account(database, of: UserID(id))
        }
        guard let report else { throw Self.unknownUser }
        return report
    }

    private static func atDesk(
        _ configuration: ServerConfiguration, _ logger: Logger,
        _ work: (CompanionCatalogueDesk) async throws -> CompanionCatalogueCheck
    ) async throws -> CompanionCatalogueCheck {
        try await configuration.withDatabase(logger: logger) { database in
            do {
                return try await work(CompanionCatalogueDesk(postgres: database))
            } catch let refusal as CompanionCatalogueRefusal {
                throw CommandFailure(refusal)
            }
        }
    }

    private static func text(of path: String) throws -> String {
        guard let data = FileManager.default.contents(atPath: path), data.count <= 1 << 20,
            let text = String(bytes: data, encoding: .utf8)
        else {
            throw CommandFailure(
                reason: "The catalogue cannot be read: \(path).",
                remedy: "Give a file of UTF-8 with at most 1 MiB.")
        }
        return text
    }

    private static var unknownUser: CommandFailure {
        CommandFailure(
            reason: "This user has not joined Companion, or does not exist.",
            remedy: "Give the user's id, as in the export of the account.")
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
