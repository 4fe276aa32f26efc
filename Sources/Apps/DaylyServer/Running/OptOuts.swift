import Auth
import Groups
import Logging
import Postgres

/// What `dayly sms` works with: the list of numbers that want no invitation SMS.
package struct OptOuts: Sendable {
    private let store: OptOutStore
    private let numbers: PhoneNumberParser

    /// Opens the database for `body` and closes it.
    ///
    /// - Throws: `ServeFailure` on a database that this version must not work on.
    package static func run<Value: Sendable>(
        _ configuration: ServerConfiguration, logger: Logger, _ body: (OptOuts) async throws -> Value
    ) async throws -> Value {
        let secrets = try Secrets.load(configuration)
        let database = Connections.database(configuration, maxConnections: 1, logger: logger)
        do {
            try await SchemaGate(
                client: database, migrationsPath: configuration.database.migrationsPath
            ).requireServable()
            let hashes = NumberHashes(secret: secrets.secret)
            // Of any country: numbers of one that is not served any more may be on the list.
            let value = try await body(
                OptOuts(
                    store: OptOutStore(postgres: database, hashes: hashes), numbers: PhoneNumberParser()))
            await database.close()
            return value
        } catch {
            await database.close()
            throw error
        }
    }

    /// - Returns: whether the number was not stopped before.
    package func stop(_ text: String) async throws -> Bool {
        try await store.stop(number(text))
    }

    /// - Returns: whether the number was stopped before.
    package func allow(_ text: String) async throws -> Bool {
        try await store.allow(number(text))
    }

    private func number(_ text: String) throws -> PhoneNumber {
        guard let number = numbers.parse(text) else { throw NoPhoneNumber() }
        return number
    }
}

/// What was given to a command is no phone number. It is not repeated: the message may be logged.
package struct NoPhoneNumber: Error, CustomStringConvertible {
    package let description = "That is no phone number. Give it with its + and country code: +14155550123."
}
