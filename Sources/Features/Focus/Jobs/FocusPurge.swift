import Postgres

/// Makes the partitions of the days ahead, and deletes everything that is past its time.
struct FocusPurge: Sendable {
    /// What a run has done.
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
            try await store.drop(partition)
            report.droppedPartitions += 1
        }
        let own: [Part] = [
            store.forgetStreaks, store.deleteDevices, store.deleteResults, store.deleteLeagues,
        ]
        for part in own + parts { report.deletedRows += try await part() }
        return report
    }
}
