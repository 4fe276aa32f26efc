import Jobs
import Postgres

/// The job `companion_purge`: deletes what is past its time. It is due at 03:00 UTC; a run before that finds nothing new.
struct CompanionPurge: Sendable {
    /// Deletes rows of a room that are past their time, and returns their number.
    typealias Part = @Sendable (PostgresClient) async throws -> Int

    /// The pool of background work.
    let postgres: PostgresClient
    let parts: [Part]

    /// - Returns: the number of deleted rows.
    @discardableResult
    func runOnce() async throws -> Int {
        var (done, count) = (Parts(), 0)
        for part in parts { count += await done.run(or: 0) { try await part(postgres) } }
        try done.finish()
        return count
    }
}
