import FeatureKit
import Jobs
import Postgres

/// Does what is due for accounts, whether or not anybody calls. A batch is one transaction. Any number of processes may run
/// the job at the same time, and each may be killed at any point.
struct CompanionRollJob: Sendable {
    /// The accounts of one batch at most.
    static let batchSize = 500

    private let batches: RowBatches<UserID, Void>

    /// - Parameters:
    ///   - postgres: the pool of background work.
    ///   - claim: locks the rows of `companion_settings` of some accounts for which something is due.
    init(
        of job: String, _ postgres: PostgresClient, _ accounts: CompanionAccounts,
        claim: @escaping RowBatches<UserID, Void>.Claim
    ) {
        batches = RowBatches(
            of: job, postgres, size: Self.batchSize, owner: { $0.rawValue }, claim: claim,
            work: { tx, users in try accounts.takeLocked(tx, users) })
    }

    /// Where one batch is not enough, two are taken at a time: the service computes one while PostgreSQL writes the other.
    ///
    /// - Returns: the number of accounts.
    /// - Throws: the error of an account that failed, when all others are done.
    @discardableResult
    func runOnce() async throws -> Int {
        let failures = RowFailures()
        var count = try await batches.take(failures).rows
        if count == Self.batchSize {
            count = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<2 { group.addTask { try await takeBatches(failures) } }
                return try await group.reduce(count, +)
            }
        }
        try failures.finish()
        return count
    }

    /// Takes batches until one is not full.
    private func takeBatches(_ failures: RowFailures) async throws -> Int {
        var count = 0
        while !Task.isCancelled {
            let taken = try await batches.take(failures).rows
            count += taken
            guard taken == Self.batchSize else { break }
        }
        return count
    }

    /// The job `companion_roll`: the ends of days of accounts with pets.
    static func ofPets(_ postgres: PostgresClient, _ accounts: CompanionAccounts) -> CompanionRollJob {
        return CompanionRollJob(of: "companion_roll", postgres, accounts) { tx, limit, users in
            try CompanionOwnerStore.claimPets(tx, limit: limit, without: users)
        }
    }

    /// The job `companion_summaries`: the summaries that are due by themselves.
    static func ofSummaries(_ postgres: PostgresClient, _ accounts: CompanionAccounts) -> CompanionRollJob {
        return CompanionRollJob(of: "companion_summaries", postgres, accounts) { tx, limit, users in
            try CompanionDayStore.claimSummaries(tx, limit: limit, without: users)
        }
    }
}
