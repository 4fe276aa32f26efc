import CommandKit
import Postgres

/// The database's encoding, which must hold every name, and its collations, whose order its indexes rely on.
struct LocaleChecks: Sendable {
    let client: PostgresClient

    func findings() async throws -> [Finding] {
        let encoding = try await encodingFailure().map {
            Finding.problem("database", $0.reason, remedy: $0.remedy)
        }
        return try await [encoding].compactMap(\.self) + collations()
    }

    /// - Throws: `CommandFailure`.
    func requireUTF8() async throws {
        do {
            if let failure = try await encodingFailure() { throw failure }
        } catch let error as PostgresError {
            throw CommandFailure.database(error)
        }
    }

    private func encodingFailure() async throws -> CommandFailure? {
        let encoding = try await LocaleStore(client: client).encoding()
        guard encoding != "UTF8" else { return nil }
        return CommandFailure(
            reason: "The database's encoding is \(encoding), which cannot hold every name. Dayly needs UTF8.",
            remedy:
                "The encoding of a database cannot be changed. Make another one, and copy what is in this one with pg_dump: "
                + "CREATE DATABASE dayly OWNER dayly TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C.UTF-8';")
    }

    /// A new version of the system's or ICU's collations may sort texts in another order than the indexes have. Rows are not found
    /// then, and a unique index takes a text twice.
    func collations() async throws -> [Finding] {
        let store = LocaleStore(client: client)
        let name = try await store.databaseName()
        return try await store.changedCollations().map { collation in
            let object = collation.map { "COLLATION \($0)" } ?? "DATABASE \(name)"
            return .warning(
                "database",
                "the order of texts (\(collation.map { "collation \($0)" } ?? "the database's collation")) has changed "
                    + "since the indexes were built, so they may be damaged",
                remedy:
                    "In a quiet hour: REINDEX DATABASE \(name); then ALTER \(object) REFRESH COLLATION VERSION;"
            )
        }
    }
}
