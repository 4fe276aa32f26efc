import CommandKit
import Logging
import Restoration

/// `dayly restore`.
package enum RestoreAction {
    /// Repeats the erasures that a restored backup has undone.
    ///
    /// - Parameters:
    ///   - acceptsBucket: Registers the bucket as this database's own, even if it has no journal or another database's.
    ///   - acceptsSecret: Makes `auth.secret` this database's own, even if it was used with another one.
    ///   - isLenient: Continues without the parts of the journal that cannot be read.
    ///   - progress: Called after each batch.
    /// - Returns: nil if there was nothing to do.
    /// - Throws: `CommandFailure`.
    package static func run(
        acceptsBucket: Bool, acceptsSecret: Bool = false, leniently isLenient: Bool,
        configuration: ServerConfiguration, logger: Logger,
        progress: @escaping @Sendable (RestoreProgress) -> Void = { _ in }
    ) async throws -> RestoreReport? {
        let secrets = try Secrets.load(configuration)
        let composition = try await ServerComposition(
            configuration: configuration, secrets: secrets, logger: logger)
        return try await finally({ await composition.close() }) {
            try await SchemaGate(
                client: composition.database, migrationsPath: configuration.database.migrationsPath
            ).requireServable()
            let secret = composition.restoring.secretCheck
            if acceptsSecret {
                try await secret.adopt(acceptingOther: true)
            } else {
                try await secret.require()
            }
            var restoring = composition.restoring
            restoring.progress = progress
            return try await restoring.restore(acceptsBucket: acceptsBucket, leniently: isLenient)
        }
    }
}
