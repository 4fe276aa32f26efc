import Foundation
import Postgres
import Restoration

/// Makes the partitions of the days ahead, and deletes everything that is past its time.
struct FocusPurge: Sendable {
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
        guard let span = try await store.spanToForget() else { return 0 }
        var (days, after) = (0, UUID.lowest)
        while let page = try await store.forgetStreaks(of: span, after: after, limit: 500) {
            try Task.checkCancellation()
            days += page.days
            after = page.last
        }
        try await store.markForgotten(span)
        return days
    }
}
