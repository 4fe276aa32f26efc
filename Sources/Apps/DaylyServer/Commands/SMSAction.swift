import Auth
import Groups
import Logging

/// `dayly sms`: changes the list of numbers that get no invitation SMS.
package enum SMSAction {
    /// - Returns: Whether the number was not stopped before.
    package static func stop(
        _ number: String, configuration: ServerConfiguration, logger: Logger
    ) async throws -> Bool {
        try await withList(number, configuration, logger) { try await $0.stop($1) }
    }

    /// - Returns: Whether the number was stopped before.
    package static func allow(
        _ number: String, configuration: ServerConfiguration, logger: Logger
    ) async throws -> Bool {
        try await withList(number, configuration, logger) { try await $0.allow($1) }
    }

    private static func withList(
        _ text: String, _ configuration: ServerConfiguration, _ logger: Logger,
        _ body: (OptOutStore, PhoneNumber) async throws -> Bool
    ) async throws -> Bool {
        let secrets = try Secrets.load(configuration)
        return try await configuration.withDatabase(logger: logger) { database in
            try await SecretCheck(client: database, secret: secrets.secret).require()
            // Numbers of all countries: the list may hold numbers of a country that is not served any more.
            guard let number = PhoneNumberParser().parse(text) else { throw InvalidPhoneNumber() }
            return try await body(
                OptOutStore(postgres: database, hashes: NumberHashes(secret: secrets.secret)), number)
        }
    }
}

/// The argument of a command is not a phone number. The text does not repeat it, because it may be logged.
package struct InvalidPhoneNumber: Error, CustomStringConvertible {
    package let description =
        "This is not a phone number. Give the number with its + and country code: +14155550123."
}
