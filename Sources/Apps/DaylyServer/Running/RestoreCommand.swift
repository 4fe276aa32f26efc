import Logging

/// What `dayly restore` does.
package enum RestoreCommand {
    /// - Parameters:
    ///   - acceptsBucket: the bucket belongs to this database from now on, whatever it says.
    ///   - isLenient: goes on without what cannot be read of the journal.
    ///   - progress: called after each batch.
    /// - Returns: nil where there was nothing to do.
    /// - Throws: `ServeFailure`.
    package static func run(
        acceptsBucket: Bool, leniently isLenient: Bool, configuration: ServerConfiguration, logger: Logger,
        progress: @escaping @Sendable (RestoreProgress) -> Void = { _ in }
    ) async throws -> RestoreReport? {
        let composition = try await ServerComposition(
            configuration: configuration, secrets: try Secrets.load(configuration), logger: logger)
        do {
            try await SchemaGate(
                client: composition.database, migrationsPath: configuration.database.migrationsPath
            ).requireServable()
            var restoring = composition.restoring
            restoring.progress = progress
            let report = try await restoring.restore(
                acceptsBucket: acceptsBucket, leniently: isLenient)
            await composition.close()
            return report
        } catch {
            await composition.close()
            throw error
        }
    }
}
