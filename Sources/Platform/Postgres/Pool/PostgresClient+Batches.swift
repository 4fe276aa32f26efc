import ServiceLifecycle

extension PostgresClient {
    /// The largest number of rows that are skipped. Where more fail, the cause is not theirs.
    private static let mostSkipped = 20

    /// Repeats a statement that changes a bounded number of rows until it changes fewer than that. Each repetition
    /// commits on its own. So no lock is held for long and no statement reaches its time limit, however many rows there
    /// are. After a failure the batches become smaller, and a row that fails alone is skipped, so that it does not keep the others.
    /// Graceful shutdown ends it between two batches.
    ///
    /// - Parameters:
    ///   - batch: the largest number of rows that one statement changes.
    ///   - statement: makes the statement for a batch, `LIMIT \(batch)`. It should skip rows that other transactions have locked.
    /// - Returns: the number of rows changed in all.
    /// - Throws: the error of a row that was skipped, when all others are done.
    @discardableResult
    package func executeInBatches(
        of batch: Int = 1_000, _ statement: @Sendable (RowBatch) -> SQL
    ) async throws -> Int {
        var (total, size, skipped) = (0, batch, 0)
        var failure: PostgresError?
        while !Task.isShuttingDownGracefully {
            try Task.checkCancellation()
            do {
                let count = try await execute(statement(RowBatch(limit: size, skipped: skipped)))
                total += count
                if count < size { break }
                size = min(batch, size * 10)
            } catch {
                guard error.isOfRows else { throw error }
                if failure == nil { failure = error }
                if size == 1 { skipped += 1 }
                guard skipped <= Self.mostSkipped else { break }
                size = max(1, size / 10)
            }
        }
        if let failure { throw failure }
        return total
    }
}
