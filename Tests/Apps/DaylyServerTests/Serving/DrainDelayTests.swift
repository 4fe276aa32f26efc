import DaylyTesting
import Logging
import ServiceLifecycle
import Synchronization
import Testing

@testable import DaylyServer

/// A wait that a test ends.
private final class Wait: Sendable {
    private let wait = AsyncStream.makeStream(of: Void.self)
    private let durations = Mutex<[Duration]>([])

    var begun: [Duration] { durations.withLock { $0 } }

    func end() { wait.continuation.finish() }

    func until(_ duration: Duration = .zero) async {
        durations.withLock { $0.append(duration) }
        for await _ in wait.stream {}
    }
}

@Suite("The delay before the listener closes")
struct DrainDelayTests {
    private let readiness = Readiness(checks: [], logger: .silent)
    private let delay = Wait()
    private let signal = Wait()
    private let ends = Counter()

    private func service(_ duration: Duration) -> DrainDelay {
        DrainDelay(
            duration: duration, readiness: readiness, logger: .silent,
            sleep: { [delay] in await delay.until($0) }, nextSignal: { [signal] in await signal.until() })
    }

    /// Runs the service, asks it to end, and calls `body` while it delays.
    private func ending(
        _ service: DrainDelay, _ body: () async throws -> Void
    ) async throws {
        let group = ServiceGroup(services: [service], logger: .silent)
        let running = Task { [ends] in
            try await group.run()
            ends.increment()
        }
        try await Task.sleep(for: .milliseconds(50))
        await group.triggerGracefulShutdown()
        try await body()
        delay.end()
        try await running.value
    }

    /// Guard: `/readyz` fails from SIGTERM on, at once (`Readiness.beginDraining`)
    @Test("the service is ready until it is to end, and not ready for the whole delay")
    func notReady() async throws {
        #expect(await readiness.failing().isEmpty)
        try await ending(service(.seconds(2))) {
            try await eventually("the delay") { delay.begun == [.seconds(2)] }
            // The result of the checks holds for a second; the end of the process shows at once.
            #expect(await readiness.failing() == ["shutdown"])
            #expect(ends.value == 0)
        }
        #expect(await readiness.failing() == ["shutdown"])
    }

    /// Guard: a second signal ends the delay (`DrainDelay`)
    @Test("a second signal ends the delay")
    func secondSignal() async throws {
        try await ending(service(.seconds(2))) {
            try await eventually("the delay") { delay.begun == [.seconds(2)] && signal.begun.count == 1 }
            signal.end()
            try await eventually("the end") { ends.value == 1 }
        }
    }

    @Test("without a delay the service ends at once, and is not ready while its last requests are answered")
    func none() async throws {
        try await ending(service(.zero)) {
            try await eventually("the end") { ends.value == 1 }
            #expect(delay.begun.isEmpty)
            #expect(await readiness.failing() == ["shutdown"])
        }
    }

    @Test("the delay is two seconds where a proxy is trusted, and none elsewhere, unless it is given")
    func usualDelay() async throws {
        let folder = try TemporaryFolder()
        func load(_ more: [String: String]) async throws -> ServerConfiguration {
            try ServerConfiguration.load(environment: Fixture.development(in: folder, more), file: nil)
        }
        let alone = try await load([:])
        #expect(alone.http.drainDelay == .zero && !alone.events.endsGradually)
        let behindProxy = try await load(["DAYLY_HTTP_TRUSTED_PROXIES": "10.0.0.7"])
        #expect(behindProxy.http.drainDelay == .seconds(2) && behindProxy.events.endsGradually)
        let given = try await load(["DAYLY_HTTP_TRUSTED_PROXIES": "10.0.0.7", "DAYLY_HTTP_DRAIN_DELAY": "5s"])
        #expect(given.http.drainDelay == .seconds(5))
    }
}
