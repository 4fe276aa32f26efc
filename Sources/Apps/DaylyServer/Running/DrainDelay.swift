import Logging
import ServiceLifecycle
import UnixSignals

/// The wait between SIGTERM and the end of the listener. `/readyz` answers 503 meanwhile and everything else is served, so
/// that load balancers choose another process before this one refuses connections. A second signal ends the wait.
struct DrainDelay: Service {
    let duration: Duration
    let readiness: Readiness
    let logger: Logger
    var sleep: @Sendable (Duration) async -> Void = { try? await Task.sleep(for: $0) }
    /// Returns when the next signal comes, or on cancellation.
    var nextSignal: @Sendable () async -> Void = {
        for await _ in await UnixSignalsSequence(trapping: .sigterm, .sigint) { return }
    }

    func run() async throws {
        guard (try? await gracefulShutdown()) != nil else { return }
        await readiness.beginDraining()
        guard duration > .zero else { return }
        logger.info("/readyz answers 503 until the listener closes", metadata: ["after": "\(duration)"])
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await sleep(duration) }
            group.addTask { await nextSignal() }
            await group.next()
            group.cancelAll()
        }
    }
}
