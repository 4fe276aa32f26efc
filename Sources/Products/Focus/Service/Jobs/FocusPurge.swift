import Foundation
import Jobs
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
        var (report, done) = (Report(), Parts())
        report.madePartitions = await done.run(or: 0) { try await partitions.make() }
        for partition in await done.run(or: [], { try await store.oldPartitions() }) {
            if await done.run(or: false, { try await store.drop(partition) }) {
                report.droppedPartitions += 1
            }
        }
        let own: [Part] = [
            forgetStreaks, store.deleteDevices, store.deleteResults, store.deleteLeagues,
        ]
        for part in own + parts { report.deletedRows += await done.run(or: 0, part) }
        try done.finish()
        return report
    }

    private func forgetStreaks() async throws -> Int {
        guard let span = try await store.spanToForget() else { return 0 }
        var (days, after, failure) = (0, UUID.lowest, nil as (any Error)?)
        while let page = try await forgetStreaks(of: span, after: after, &failure) {
            try Task.checkCancellation()
            days += page.days
            after = page.last
        }
        if let failure { throw failure }
        try await store.markForgotten(span)
        return days
    }

    /// Takes the users of a page that fails one by one.
    private func forgetStreaks(
        of span: FocusPurgeStore.Span, after: UUID, _ failure: inout (any Error)?
    ) async throws -> (days: Int, last: UUID)? {
        do {
            return try await store.forgetStreaks(of: span, after: after, limit: 500)
        } catch let error where error.isOfRows {
            var (days, last) = (0, after)
            for user in try await store.users(after: after, limit: 500) {
                do {
                    days += try await store.forgetStreaks(of: span, after: last, limit: 1)?.days ?? 0
                } catch let error where error.isOfRows {
                    failure = failure ?? error
                }
                last = user
            }
            return last == after ? nil : (days, last)
        }
    }
}
