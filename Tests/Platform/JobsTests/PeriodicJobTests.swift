import DaylyTesting
import Logging
import ServiceLifecycle
import Synchronization
import Testing

@testable import Jobs

private struct Broken: Error {}

@Suite("Periodic jobs")
struct PeriodicJobTests {
    /// Guard: shutdown ends a job's pause, not its run; a failed run is repeated (`PeriodicJob`)
    @Test("a run that fails is followed by the next one")
    func goesOn() async throws {
        let (runs, run) = AsyncStream<Int>.makeStream()
        let count = Mutex(0)
        let job = PeriodicJob(name: "test", interval: .milliseconds(1), logger: .silent) {
            let number = count.withLock { count in
                count += 1
                return count
            }
            run.yield(number)
            if number < 3 { throw Broken() }
        }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { try? await job.run() }
            for await number in runs where number == 4 { break }
            group.cancelAll()
        }
    }

    /// Guard: pauses after failures grow up to a longest one (`Backoff.pause`, `PeriodicJob.pause`)
    @Test("pauses double with failures in a row, to half a minute or the interval, each shorter by chance")
    func backsOff() {
        let job = PeriodicJob(name: "test", interval: .seconds(5), logger: .silent) {}
        #expect(
            (0...4).map { job.pause(afterFailures: $0, random: 0) }
                == [5, 10, 20, 30, 30].map { .seconds($0) })
        #expect(
            (0...3).map { job.pause(afterFailures: $0, random: 1) } == [4, 5, 10, 15].map { .seconds($0) })
        #expect(job.pause(afterFailures: 1_000_000, random: 0) == .seconds(30))
        let rare = PeriodicJob(name: "test", interval: .seconds(3_600), logger: .silent) {}
        #expect(rare.pause(afterFailures: 9, random: 0) == .seconds(3_600))
    }

    /// Guard: shutdown ends a job's pause, not its run; a failed run is repeated (`PeriodicJob`)
    @Test("shutdown cuts the pause short and lets a run finish")
    func stops() async throws {
        let (runs, run) = AsyncStream<Void>.makeStream()
        let finished = Mutex(false)
        let job = PeriodicJob(name: "test", interval: .seconds(3_600), logger: .silent) {
            run.yield()
            try await Task.sleep(for: .milliseconds(100))
            finished.withLock { $0 = true }
        }
        let group = ServiceGroup(services: [job], logger: .silent)
        let started = ContinuousClock.now
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            for await _ in runs { break }
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
        #expect(finished.withLock { $0 })
        #expect(ContinuousClock.now - started < .seconds(10))
    }
}
