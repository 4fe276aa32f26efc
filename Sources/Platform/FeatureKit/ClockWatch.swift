import Foundation
import HTTPKit
import Logging
import Metrics
import ObjectStorage
import Postgres
import Synchronization

/// Compares the database's clock with the object store's.
///
/// PostgreSQL decides what is over. If its clock jumps ahead, everything is over: a sweep would delete every photo, an upload
/// would take a day that is still to come, and pets would starve. So nothing that lasts is done on a time that the store's
/// clock is far from. The store's clock is asked once a minute; in between the process counts on by itself.
package final class ClockWatch: TimeJudge {
    /// How far the two may differ. Real clocks differ by seconds.
    package static let tolerance: TimeInterval = 600
    private static let readingLifetime: Duration = .seconds(60)
    /// How long a reading may take.
    private static let patience: Duration = .seconds(3)

    private struct Reading {
        let date: Date
        let at: ContinuousClock.Instant

        var now: Date { date.addingTimeInterval(at.duration(to: .now) / .seconds(1)) }
    }

    private struct State {
        var reading: Reading?
        var isAgreed = true
    }

    private let storeDate: @Sendable () async throws -> Date?
    private let logger: Logger
    private let state = Mutex(State())

    /// - Parameter storeDate: asks the store; nil where it does not tell the time.
    package init(storeDate: @escaping @Sendable () async throws -> Date?, logger: Logger) {
        self.storeDate = storeDate
        self.logger = logger
    }

    package convenience init(_ objects: any ObjectStore, logger: Logger) {
        self.init(storeDate: { try await objects.currentDate() }, logger: logger)
    }

    // MARK: - Judging

    /// Runs `body`, which gives the database's time to `verify` before it writes anything that depends on it.
    ///
    /// - Throws: `ClocksDisagree`, and what `body` throws.
    package func checking<Value: Sendable>(
        _ body: (_ verify: @escaping @Sendable (Date) throws -> Void) async throws -> Value
    ) async throws -> Value {
        do {
            return try await body { try self.verify($0) }
        } catch let difference as ClocksDisagree {
            // The store's clock may have been set since it was asked.
            try await judge(difference.databaseNow)
            return try await body { try self.verify($0) }
        }
    }

    /// - Throws: `ClocksDisagree` where the database's clock is far from the store's, as last asked.
    package func verify(_ databaseNow: Date) throws {
        guard let difference = difference(of: databaseNow), abs(difference) > Self.tolerance else { return }
        throw ClocksDisagree(seconds: difference, databaseNow: databaseNow)
    }

    /// The same, with the store asked again before it is said that the clocks disagree.
    package func judge(_ databaseNow: Date) async throws {
        if state.withLock({ $0.reading.map { $0.at.duration(to: .now) > Self.readingLifetime } ?? true }) {
            await read()
        }
        if let difference = difference(of: databaseNow), abs(difference) > Self.tolerance { await read() }
        let seconds = difference(of: databaseNow) ?? 0
        let isAgreed = abs(seconds) <= Self.tolerance
        tell(seconds, isAgreed)
        if !isAgreed { throw ClocksDisagree(seconds: seconds, databaseNow: databaseNow) }
    }

    /// - Throws: `ClocksDisagree`, `PostgresError`.
    package func requireAgreement(_ postgres: PostgresClient) async throws {
        guard let now = try await ClockStore(postgres: postgres).now() else { return }
        try await judge(now)
    }

    /// Runs background work that does something lasting by the database's time, unless the clocks disagree: then it is left
    /// out, and the log says so once.
    package func whileAgreed(_ postgres: PostgresClient, _ work: () async throws -> Void) async throws {
        do {
            try await requireAgreement(postgres)
            try await work()
        } catch is ClocksDisagree {
            // The next run does the rest.
        }
    }

    /// How far the database is ahead of the store, in seconds; nil where the store has not told the time.
    private func difference(of databaseNow: Date) -> TimeInterval? {
        state.withLock { $0.reading }.map { databaseNow.timeIntervalSince($0.now) }
    }

    /// A store that does not answer leaves the last reading as it is.
    private func read() async {
        let (ask, patience) = (storeDate, Self.patience)
        let date = await withTaskGroup(of: Date?.self) { group in
            group.addTask { try? await ask() }
            group.addTask {
                try? await Task.sleep(for: patience)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
        if let date { state.withLock { $0.reading = Reading(date: date, at: .now) } }
    }

    private func tell(_ seconds: TimeInterval, _ isAgreed: Bool) {
        Gauge(label: "dayly_clock_difference_seconds").record(seconds)
        Gauge(label: "dayly_deletion_paused").record(isAgreed ? 0 : 1)
        let wasAgreed = state.withLock { state in
            defer { state.isAgreed = isAgreed }
            return state.isAgreed
        }
        if !isAgreed, wasAgreed {
            logger.error(
                "\(ClocksDisagree.text(seconds)): until they agree nothing is deleted, no photo is taken, and nothing changes in other products"
            )
        } else if isAgreed, !wasAgreed {
            logger.notice("the clocks of the database and the object store agree again")
        }
    }
}

/// The database's clock is too far from the object store's for anything to be decided by it.
package struct ClocksDisagree: ProblemConvertible, Untimely, CustomStringConvertible {
    /// How far the database is ahead of the store.
    package let seconds: TimeInterval
    package let databaseNow: Date

    package var description: String { Self.text(seconds) }
    package var problem: Problem { .unavailable() }

    static func text(_ seconds: TimeInterval) -> String {
        let direction = seconds > 0 ? "ahead of" : "behind"
        return "the database's clock is \(Int(abs(seconds).rounded())) s \(direction) the object store's"
    }
}
