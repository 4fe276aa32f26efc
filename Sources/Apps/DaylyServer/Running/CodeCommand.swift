import Auth
import HTTPKit
import Logging
import RateLimiting

/// What `dayly otp explain` does.
package enum CodeCommand {
    /// - Parameter address: an IP address, or nil.
    /// - Throws: `ServeFailure` where the address is none or the schema does not fit.
    package static func explain(
        _ number: String, from address: String?, configuration: ServerConfiguration, logger: Logger
    ) async throws -> CodeDiagnosis {
        let client = try address.map { text in
            guard let address = ClientAddress(text) else {
                throw ServeFailure(
                    reason: "--address is no IP address.",
                    remedy: "Addresses look like 203.0.113.7 or 2001:db8::7.")
            }
            return address
        }
        let secrets = try Secrets.load(configuration)
        let database = Connections.database(configuration, maxConnections: 1, logger: logger)
        do {
            try await SchemaGate(client: database, migrationsPath: configuration.database.migrationsPath)
                .requireServable()
            let limits = RateLimits(
                postgres: database, enforced: configuration.limits.enforceRates, secret: secrets.secret,
                messageLimits: configuration.sms.limits)
            let diagnosis = try await CodeExplanation(
                postgres: database, limits: limits,
                configuration: AuthSettings(configuration)
            ).explain(number, from: client)
            await database.close()
            return diagnosis
        } catch {
            await database.close()
            throw error
        }
    }
}
