import Foundation
import Postgres
import Restoration
import Synchronization

/// Makes the partitions of the days ahead, and deletes everything that is past its time.
final class FocusPurge: Sendable {
    /// The effects of a run.
    struct Report: Sendable, Equatable {
        var madePartitions = 0
        var droppedPartitions = 0
        var deletedRows = 0
    }

    /// Deletes rows of another room that are past their time, and returns their number.
    typealias Part = @Sendable () async throws -> Int

    let partitions: FocusPartitions
    let store: FocusPurgeStore
    let parts: [Part]
    /// The day on which this process last went through all users' streaks. Each day of UTC makes one more day too old.
    private let streaksDone = Mutex<PostgresDate?>(nil)

    init(postgres: PostgresClient, parts: [Part] = []) {
        partitions = FocusPartitions(postgres: postgres)
        store = FocusPurgeStore(postgres: postgres)
        self.parts = parts
    }

    func runOnce() async throws -> Report {
        var report = Report()
        report.madePartitions = try await partitions.make()
        for partition in try await store.oldPartitions() {
            if try await store.drop(partition) { report.droppedPartitions += 1 }
        }
        let own: [Part] = [
            forgetStreaks, store.deleteDevices, store.deleteResults, store.deleteLeagues,
        ]
        // A part that fails is tried again in the next run, and keeps no other from its work.
        var failure: (any Error)?
        for part in own + parts {
            do {
                report.deletedRows += try await part()
            } catch {
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
        return report
    }

    private func forgetStreaks() async throws -> Int {
        let today = try await store.today()
        guard streaksDone.withLock({ $0 != today }) else { return 0 }
        var (days, after) = (0, UUID.lowest)
        while let page = try await store.forgetStreaks(after: after, limit: 500) {
            try Task.checkCancellation()
            days += page.days
            after = page.last
        }
        streaksDone.withLock { $0 = today }
        return days
    }
}
