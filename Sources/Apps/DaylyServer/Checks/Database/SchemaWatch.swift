import CommandKit
import Logging
import Postgres
import ServiceLifecycle

/// Ends the service when a newer program has changed the schema in such a way that this one must not run on it.
struct SchemaWatch: Service {
    let gate: SchemaGate
    let logger: Logger

    private static let interval: Duration = .seconds(5)

    /// - Throws: `CommandFailure`.
    func run() async throws {
        while !Task.isCancelled, !Task.isShuttingDownGracefully {
            if case .aheadBreaking(let names) = try? await gate.status() {
                logger.critical("a newer version has migrated the database: ending the service")
                throw CommandFailure.aheadBreaking(names)
            }
            try? await cancelWhenGracefulShutdown { try await Task.sleep(for: Self.interval) }
        }
    }
}
