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

    /// - Returns: the number of accounts.
    @discardableResult
    func runOnce() async throws -> Int {
        var count = 0
        while !Task.isCancelled {
            let users = try await postgres.transaction { tx in
                let users = try claim(tx, Self.batchSize)
                try accounts.takeLocked(tx, users)
                return users
            }
            count += users.count
            guard users.count == Self.batchSize else { break }
        }
        return count
    }

    /// The job `companion_roll`: the ends of days of accounts with pets.
    static func ofPets(_ postgres: PostgresClient, _ accounts: CompanionAccounts) -> CompanionRollJob {
        let owners = CompanionOwnerStore()
        return CompanionRollJob(postgres: postgres, accounts: accounts) { tx, limit in
            try owners.claimPets(tx, limit: limit)
        }
    }
}
