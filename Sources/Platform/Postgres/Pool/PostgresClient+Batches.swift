extension PostgresClient {
    /// Repeats a statement that changes a bounded number of rows until it changes fewer than that. Each repetition
    /// commits on its own. So no lock is held for long and no statement reaches its time limit, however many rows there
    /// are.
    ///
    /// - Parameters:
    ///   - batch: the largest number of rows that one statement changes.
    ///   - statement: makes the statement for that number. It should skip rows that other transactions have locked.
    /// - Returns: the number of rows changed in all.
    @discardableResult
    package func executeInBatches(
        of batch: Int = 1_000, _ statement: @Sendable (Int) -> SQL
    ) async throws -> Int {
        var total = 0
        while true {
            try Task.checkCancellation()
            let count = try await execute(statement(batch))
            total += count
            if count < batch { return total }
        }
    }
}
