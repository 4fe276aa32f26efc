extension PostgresClient {
    /// Repeats a statement that changes a bounded number of rows until it finds fewer, each time with a commit of its own. So
    /// no lock is held for long, and no statement runs into its time limit, however many rows there are.
    ///
    /// - Parameters:
    ///   - batch: the number of rows that one statement changes at most.
    ///   - statement: makes the statement for that number. It should skip rows that others have locked.
    /// - Returns: how many rows were changed in all.
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
