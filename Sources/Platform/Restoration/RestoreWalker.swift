import Foundation
import Postgres
import Synchronization

/// Does the walks of a restore, in pages that commit by themselves. Pages are so small that a statement takes well under
/// a second. After each page the walker records its position, so that a restore that was killed resumes there.
package final class RestoreWalker: Sendable {
    private static let limits = 50...10_000

    private let restoreGuard: RestoreGuard
    private let restore: String
    private let report: @Sendable (RestoreProgress) -> Void
    private let rows = Mutex(0)

    /// - Parameters:
    ///   - restore: the name of the restore; see `RestorePlan.name`.
    ///   - report: called after each page.
    package init(
        _ restoreGuard: RestoreGuard, restore: String, report: @escaping @Sendable (RestoreProgress) -> Void
    ) {
        self.restoreGuard = restoreGuard
        self.restore = restore
        self.report = report
    }

    /// Does the walks of one moment, in their order.
    ///
    /// - Parameter moment: not `.journal`, whose walks are repeated for each part.
    package func run(
        _ walks: [RestoreWalk], _ moment: RestoreWalk.Moment, until: Date, _ counts: inout RestoreReport
    ) async throws {
        let scope = RestoreWalk.Scope(restore: restore, journal: restoreGuard.emptyJournal, until: until)
        for walk in walks where walk.moment == moment {
            try await run(walk, as: walk.name, scope, &counts)
        }
    }

    /// Does the walks that are due for a part of the journal, in their order.
    ///
    /// - Parameter number: the part's number within the journal. It keeps the positions of the parts apart.
    package func run(
        _ walks: [RestoreWalk], for part: ErasureJournal, number: Int, until: Date,
        _ counts: inout RestoreReport
    ) async throws {
        let scope = RestoreWalk.Scope(restore: restore, journal: part, until: until)
        for walk in walks where walk.isDue(for: part) {
            try await run(walk, as: "\(walk.name) \(number)", scope, &counts)
        }
    }

    private func run(
        _ walk: RestoreWalk, as name: String, _ scope: RestoreWalk.Scope, _ counts: inout RestoreReport
    ) async throws {
        let changed = try await pages(name) { try await walk.page(scope, $0, $1) }
        if let count = walk.count { counts[keyPath: count] += changed }
    }

    /// - Parameter name: the walk's name, with the number of the journal's part behind a blank.
    /// - Returns: the number of changed rows, including those of an earlier walk that was interrupted.
    func pages(
        _ name: String, _ page: @Sendable (_ after: UUID, _ limit: Int) async throws -> RestoredPage?
    ) async throws -> Int {
        var (after, changed) = try await restoreGuard.progress(restore, name) ?? (.lowest, 0)
        var limit = 500
        while true {
            try Task.checkCancellation()
            let began = ContinuousClock.now
            let done: RestoredPage?
            do {
                done = try await page(after, limit)
            } catch PostgresError.unavailable where limit > Self.limits.lowerBound {
                // The statement took too long, or the database is busy: a smaller page may pass.
                limit = max(limit / 8, Self.limits.lowerBound)
                continue
            }
            guard let done else { return changed }
            (after, changed) = (done.last, changed + done.changed)
            try await restoreGuard.note(restore, name, last: after, changed: changed)
            reportPage(name, limit, changed)
            limit = Self.next(limit, after: began.duration(to: .now))
        }
    }

    private static func next(_ limit: Int, after time: Duration) -> Int {
        let wanted = time < .milliseconds(100) ? limit * 2 : time > .milliseconds(300) ? limit / 2 : limit
        return min(max(wanted, limits.lowerBound), limits.upperBound)
    }

    private func reportPage(_ name: String, _ count: Int, _ changed: Int) {
        let total = rows.withLock { rows in
            rows += count
            return rows
        }
        report(RestoreProgress(part: String(name.prefix { $0 != " " }), rows: total, changed: changed))
    }
}
