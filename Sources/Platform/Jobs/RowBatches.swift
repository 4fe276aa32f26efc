import Foundation
import Metrics
import Postgres
import Synchronization

/// Takes rows that are due in batches, each of them one transaction. The rows of a batch that fails are taken one by one, and a
/// row that fails alone is put off for an hour, so that it never stands at the head of the order and keeps others waiting.
///
/// The process remembers by itself what it has put off. So nothing needs to be written to a row that cannot be written, and a new
/// version tries everything at once. Any number of processes may take batches at the same time.
package struct RowBatches<Row: Sendable, Value: Sendable>: Sendable {
    /// Locks the first rows in the order of the job: at most that many, none that another transaction has locked, and none of
    /// these owners.
    package typealias Claim = @Sendable (PostgresTransaction, _ limit: Int, _ without: [UUID]) throws -> [Row]

    private let job: String
    private let postgres: PostgresClient
    private let size: Int
    private let putOff: PutOffRows
    private let owner: @Sendable (Row) -> UUID
    private let claim: Claim
    private let work: @Sendable (PostgresTransaction, [Row]) throws -> Value

    /// - Parameters:
    ///   - job: its name, for the metric.
    ///   - size: the rows of one batch at most.
    ///   - pause: how long a row is put off.
    ///   - owner: the id by which a row is put off.
    ///   - work: does what is due for claimed rows, in the same transaction.
    package init(
        of job: String, _ postgres: PostgresClient, size: Int, pause: Duration = .seconds(3_600),
        owner: @escaping @Sendable (Row) -> UUID, claim: @escaping Claim,
        work: @escaping @Sendable (PostgresTransaction, [Row]) throws -> Value
    ) {
        (self.job, self.postgres, self.size) = (job, postgres, size)
        (self.owner, self.claim, self.work) = (owner, claim, work)
        putOff = PutOffRows(pause: pause)
    }

    /// The rows of a batch that was claimed, and the effects of its transactions.
    package struct Taken: Sendable {
        package fileprivate(set) var rows = 0
        package fileprivate(set) var values: [Value] = []
    }

    /// Takes one batch.
    ///
    /// - Throws: what is not the rows' fault, and the error of a row where more than some have failed in this run.
    package func take(_ failures: RowFailures) async throws -> Taken {
        do {
            return try await attempt(size)
        } catch let batch as FailedRows {
            return try await takeEach(batch.owners.count, failures)
        }
    }

    private func takeEach(_ count: Int, _ failures: RowFailures) async throws -> Taken {
        var taken = Taken()
        for _ in 0..<count {
            try Task.checkCancellation()
            do {
                let one = try await attempt(1)
                guard one.rows > 0 else { break }
                taken.rows += one.rows
                taken.values += one.values
            } catch let row as FailedRows {
                taken.rows += row.owners.count
                putOff.add(row.owners)
                Counter(label: "dayly_job_rows_put_off_total", dimensions: [("job", job)]).increment()
                try failures.add(row.error)
            }
        }
        return taken
    }

    private func attempt(_ limit: Int) async throws -> Taken {
        let without = putOff.owners
        let claimed = Mutex<[UUID]>([])
        do {
            return try await postgres.transaction { tx in
                let rows = try claim(tx, limit, without)
                claimed.withLock { $0 = rows.map(owner) }
                guard !rows.isEmpty else { return Taken() }
                return Taken(rows: rows.count, values: [try work(tx, rows)])
            }
        } catch {
            let owners = claimed.withLock { $0 }
            guard !owners.isEmpty, error.isOfRows else { throw error }
            throw FailedRows(owners: owners, error: error)
        }
    }
}

/// The rows that have failed in one run of a job.
package final class RowFailures: Sendable {
    /// Where more fail, a run ends, since the fault may not be theirs. The next one goes on with other rows.
    private static let most = 20
    private let state = Mutex<(count: Int, first: (any Error)?)>((0, nil))

    package init() {}

    /// - Throws: the error where too many rows have failed.
    package func add(_ error: any Error) throws {
        let count = state.withLock { state in
            state.count += 1
            state.first = state.first ?? error
            return state.count
        }
        if count > Self.most { throw error }
    }

    /// - Throws: the first error.
    package func finish() throws {
        if let error = state.withLock({ $0.first }) { throw error }
    }
}

/// The owners of rows that failed together.
private struct FailedRows: Error {
    let owners: [UUID]
    let error: any Error
}

/// The owners whose rows this process leaves alone for a while.
private final class PutOffRows: Sendable {
    /// Each claim names them all.
    private static let most = 10_000
    private let pause: Duration
    private let until = Mutex<[UUID: ContinuousClock.Instant]>([:])

    init(pause: Duration) {
        self.pause = pause
    }

    var owners: [UUID] {
        let now = ContinuousClock.now
        return until.withLock { until in
            if !until.isEmpty { until = until.filter { $0.value > now } }
            return Array(until.keys)
        }
    }

    func add(_ owners: [UUID]) {
        let end = ContinuousClock.now + pause
        until.withLock { until in
            for owner in owners where until.count < Self.most { until[owner] = end }
        }
    }
}
