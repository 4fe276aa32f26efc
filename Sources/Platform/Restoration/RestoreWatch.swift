import Logging
import ServiceLifecycle

/// Keeps the journal while the service runs, and ends the service when its database was replaced by an older one: the
/// next start erases again what must be.
package struct RestoreWatch: Service {
    private let restoreGuard: RestoreGuard
    private let interval: Duration
    private let logger: Logger

    /// - Parameter interval: between two looks.
    package init(_ restoreGuard: RestoreGuard, every interval: Duration = .seconds(5), logger: Logger) {
        self.restoreGuard = restoreGuard
        self.interval = interval
        self.logger = logger
    }

    /// - Throws: `WentBack`.
    package func run() async throws {
        while !Task.isCancelled, !Task.isShuttingDownGracefully {
            do {
                try await restoreGuard.tick()
            } catch let error as WentBack {
                logger.critical("\(error): ending, so that the next start erases what must not come back")
                throw error
            } catch {
                logger.warning(
                    "the bucket could not be told that the database is alive",
                    metadata: ["error": "\(String(reflecting: error))"])
            }
            try? await cancelWhenGracefulShutdown { try await Task.sleep(for: interval) }
        }
        await restoreGuard.settle(within: .seconds(2))
    }
}
