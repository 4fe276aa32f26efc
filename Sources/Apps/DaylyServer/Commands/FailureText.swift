import CommandKit
import DailyPhotos
import Foundation
import ObjectStorage
import Postgres
import RateLimiting
import Restoration
import Settings

/// The text of a command's failure: sentences for the operator, never the description of a Swift value.
package enum FailureText {
    package static func of(_ error: any Error) -> String {
        switch error {
        case let error as CommandFailure: error.description
        case let error as ConfigurationProblems: error.description
        case let error as ConfigurationFileError: error.description
        case let error as SecretsError: error.description
        case let error as InvalidPhoneNumber: error.description
        case let error as MigrationError: CommandFailure(error).description
        case let error as PostgresError where error.isUnavailable: CommandFailure.database(error).description
        case let error as PostgresError: sentence(of(error))
        case let error as ObjectStoreError: of(error)
        case let error as StoreUnavailable: sentence(error.description)
        case let error as AuditFailure: sentence(error.description)
        case let error as WentBack: sentence(error.description)
        case is JournalFailure: of(CommandFailure.restoring(error))
        case let error as RateLimitsUnavailable:
            "The counters of rate limits cannot be used: \(error.reason)."
        case is CancellationError: "The command was interrupted before it ended."
        case let error as CocoaError: sentence(error.localizedDescription)
        default:
            "An unexpected error ended the command (\(type(of: error))). Please report it with the command and the log."
        }
    }

    /// The end of a sentence, without its full stop.
    static func of(_ error: PostgresError) -> String {
        switch error {
        case .server(let report): "the database refused a statement (\(report))"
        case .acquireTimeout: "no connection to the database became free in time"
        case .unavailable(let reason): reason.description
        case .commitOutcomeUnknown:
            "the connection was lost during COMMIT, so the change may or may not be saved; run the command again"
        case .nulInText: "a text contains the character U+0000, which the database cannot store"
        case .decoding(let reason): "the database sent an unexpected answer (\(reason))"
        }
    }

    private static func of(_ error: ObjectStoreError) -> String {
        let failure = StorageFailure(error, remedy: "Run `dayly doctor`, which examines the bucket.")
        return "The object store \(failure.message).\n      \(failure.remedy)"
    }

    private static func sentence(_ text: String) -> String {
        text.prefix(1).uppercased() + text.dropFirst() + (text.hasSuffix(".") ? "" : ".")
    }
}

extension PostgresError {
    fileprivate var isUnavailable: Bool {
        if case .unavailable = self { true } else { false }
    }
}

extension CommandFailure {
    /// An error of the migrations.
    init(_ error: MigrationError) {
        switch error {
        case .changed(let names): self = .changed(names)
        case .aheadBreaking(let names): self = .aheadBreaking(names)
        case .failed(let name, let reason):
            self.init(
                reason: "\(name) failed and was undone: \(FailureText.of(reason)).",
                remedy: "The migrations before it are applied. Correct the cause and run dayly migrate again."
            )
        case .missing(let folder):
            self.init(reason: "There are no migrations in \(folder).", remedy: Self.migrationsFolder)
        case .misnamed(let name):
            self.init(
                reason:
                    "The folder of migrations contains \(name).sql, which is not the name of a migration.",
                remedy:
                    "Migrations are named like 0001_base.sql. Remove the file, or correct its name.")
        case .sameVersion(let one, let other):
            self.init(
                reason: "Two migrations have the same number: \(one) and \(other).",
                remedy: Self.migrationsFolder)
        case .outOfOrder(let name):
            self.init(
                reason: "\(name) has a lower number than a migration that is already applied.",
                remedy: "Give it the next free number.")
        case .leftTransaction(let name):
            self.init(
                reason: "\(name) ended its transaction itself, so a part of it may be applied.",
                remedy: "Remove COMMIT and ROLLBACK from the file, and check what it has changed.")
        }
    }

    private static let migrationsFolder =
        "Set database.migrations_path (DAYLY_DATABASE_MIGRATIONS_PATH) to the folder of the .sql files of this "
        + "version."

    static func changed(_ names: [String]) -> CommandFailure {
        CommandFailure(
            reason: "Migrations have changed since they were applied: \(names.joined(separator: ", ")).",
            remedy: "Use the original migration files: a file must never change after it is applied. "
                + "A database that was made before the first release cannot be upgraded: begin anew with an empty one."
        )
    }

    static func aheadBreaking(_ names: [String]) -> CommandFailure {
        CommandFailure(
            reason:
                "The database is newer than this version can work with: \(names.joined(separator: ", ")).",
            remedy: "Run a newer dayly: a schema cannot be downgraded.")
    }
}
