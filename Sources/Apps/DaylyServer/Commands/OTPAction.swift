import Auth
import CommandKit
import HTTPKit
import Logging
import RateLimiting

/// `dayly otp explain`.
package enum OTPAction {
    /// Asks every rule for codes about a number, without sending or counting anything.
    ///
    /// - Parameter address: The IP address of a client, or nil to leave its limits out.
    /// - Throws: `CommandFailure` for an address that is not one, and on a schema that does not fit.
    package static func explain(
        _ number: String, from address: String?, configuration: ServerConfiguration, logger: Logger
    ) async throws -> CodeDiagnosis {
        let client = try address.map(clientAddress)
        let secrets = try Secrets.load(configuration)
        return try await configuration.withDatabase(logger: logger) { database in
            try await SecretCheck(client: database, secret: secrets.secret).require()
            let limits = RateLimits(
                postgres: database, enforced: configuration.rates.isEnforced, secret: secrets.secret,
                messageLimits: configuration.rates.messages)
            return try await CodeExplanation(
                postgres: database, limits: limits,
                configuration: configuration.auth
            ).explain(number, from: client)
        }
    }

    private static func clientAddress(_ text: String) throws -> ClientAddress {
        guard let address = ClientAddress(text) else {
            throw CommandFailure(
                reason: "The value of --address is not an IP address.",
                remedy: "Addresses look like 203.0.113.7 or 2001:db8::7.")
        }
        return address
    }
}
