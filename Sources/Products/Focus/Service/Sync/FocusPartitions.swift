import Postgres

/// The partitions of Focus' tables by day, week and month. A job makes them ahead. A transaction that comes before the job,
/// as on a new database, makes those that it needs.
struct FocusPartitions: Sendable {
    private let store: FocusPartitionStore

    init(postgres: PostgresClient) {
        store = FocusPartitionStore(postgres: postgres)
    }

    /// Runs `body`, and repeats it once after making the partitions if one is missing. `body` is a transaction of its own.
    func retrying<Value: Sendable>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let error as PostgresError where error.isMissingPartition {
            _ = try await store.make()
            return try await body()
        }
    }

    /// Makes the partitions of the next weeks, or leaves them to a later run while somebody reads the tables.
    ///
    /// - Returns: the number of partitions made.
    func make() async throws -> Int { try await store.makeUnlessBusy() }
}

extension PostgresError {
    /// PostgreSQL reports a row without a partition as a violated check that has no name.
    fileprivate var isMissingPartition: Bool { sqlState == "23514" && constraint == nil }
}
