import FeatureKit
import Postgres

/// Does what is due for accounts, whether or not anybody calls. A batch is one transaction. Any number of processes may run
/// the job at the same time, and each may be killed at any point.
struct CompanionRollJob: Sendable {
    /// Locks the rows of `companion_settings` of some accounts for which something is due: at most that many, and none that
    /// another transaction has locked.
    typealias Claim = @Sendable (PostgresTransaction, Int) throws -> [UserID]

    /// The accounts of one batch at most.
    static let batchSize = 500

    /// The pool of background work.
    let postgres: PostgresClient
    let accounts: CompanionAccounts
    let claim: Claim

    /// Where one batch is not enough, two are taken at a time: the service computes one while PostgreSQL writes the other.
    ///
    /// - Returns: the number of accounts.
    @discardableResult
    func runOnce() async throws -> Int {
        let first = try await takeBatch()
        guard first == Self.batchSize else { return first }
        return try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<2 { group.addTask { try await takeBatches() } }
            return try await group.reduce(first, +)
        }
    }

    /// Takes batches until one is not full.
    private func takeBatches() async throws -> Int {
        var count = 0
        while !Task.isCancelled {
            let taken = try await takeBatch()
            count += taken
            guard taken == Self.batchSize else { break }
        }
        return count
    }

    private func takeBatch() async throws -> Int {
        try await postgres.transaction { tx in
            let users = try claim(tx, Self.batchSize)
            try accounts.takeLocked(tx, users)
            return users.count
        }
    }

    /// The job `companion_roll`: the ends of days of accounts with pets.
    static func ofPets(_ postgres: PostgresClient, _ accounts: CompanionAccounts) -> CompanionRollJob {
        let owners = CompanionOwnerStore()
        return CompanionRollJob(postgres: postgres, accounts: accounts) { tx, limit in
            try owners.claimPets(tx, limit: limit)
        }
    }
}
