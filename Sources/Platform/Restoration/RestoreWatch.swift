import Logging
import ServiceLifecycle

/// Writes the journal while the service runs, and ends the service when its database was replaced by an older copy. The next
/// start repeats the erasures.
package struct RestoreWatch: Service {
    private let restoreGuard: RestoreGuard
    private let interval: Duration
    private let logger: Logger

    /// - Parameter interval: the time between two checks.
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
                logger.critical("\(error): ending the service; the next start repeats the erasures")
                throw error
            } catch {
                logger.warning(
                    "the journal of erasures could not be updated",
                    metadata: ["error": "\(String(reflecting: error))"])
            }
            try? await cancelWhenGracefulShutdown { try await Task.sleep(for: interval) }
        }
        await restoreGuard.waitUntilWritten(within: .seconds(2))
    }
}
