import Foundation
import Postgres
import Restoration
import Synchronization

/// Walks tables in batches that commit by themselves. The batches are so small that a statement takes well under a
/// second. After each batch the walk notes where it is, so that a restore that was killed goes on from there.
final class RestoreWalk: Sendable {
    /// One batch: the rows behind an id, at most so many. It returns the last id of the batch and the number of changed
    /// rows, or nil behind the last row.
    typealias Page = @Sendable (_ after: UUID, _ limit: Int) async throws -> (last: UUID, changed: Int)?

    private static let zero = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    private static let limits = 50...10_000

    private let restoreGuard: RestoreGuard
    private let run: String
    private let tell: @Sendable (RestoreProgress) -> Void
    private let rows = Mutex(0)

    /// - Parameter run: names the restore by what it reads.
    init(_ restoreGuard: RestoreGuard, run: String, tell: @escaping @Sendable (RestoreProgress) -> Void) {
        self.restoreGuard = restoreGuard
        self.run = run
        self.tell = tell
    }

    /// - Parameter part: names the walk within the restore; a number behind a blank tells parts of the journal apart.
    /// - Returns: the number of changed rows, with those of an earlier walk that was cut off.
    func callAsFunction(_ part: String, _ page: Page) async throws -> Int {
        var (after, changed) = try await restoreGuard.progress(run, part) ?? (Self.zero, 0)
        var limit = 500
        while true {
            try Task.checkCancellation()
            let began = ContinuousClock.now
            let found: (last: UUID, changed: Int)?
            do {
                found = try await page(after, limit)
            } catch PostgresError.unavailable where limit > Self.limits.lowerBound {
                // The statement took too long, or the database is busy: a smaller batch may pass.
                limit = max(limit / 8, Self.limits.lowerBound)
                continue
            }
            guard let found else { return changed }
            (after, changed) = (found.last, changed + found.changed)
            try await restoreGuard.note(run, part, last: after, changed: changed)
            report(part, limit, changed)
            limit = Self.next(limit, after: began.duration(to: .now))
        }
    }

    private static func next(_ limit: Int, after time: Duration) -> Int {
        let wanted = time < .milliseconds(100) ? limit * 2 : time > .milliseconds(300) ? limit / 2 : limit
        return min(max(wanted, limits.lowerBound), limits.upperBound)
    }

    private func report(_ part: String, _ count: Int, _ changed: Int) {
        let total = rows.withLock { rows in
            rows += count
            return rows
        }
        tell(RestoreProgress(part: String(part.prefix { $0 != " " }), rows: total, changed: changed))
    }
}
