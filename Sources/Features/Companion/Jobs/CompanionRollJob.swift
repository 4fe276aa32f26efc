import FeatureKit
import Postgres
import Synchronization

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
    /// - Throws: the error of an account that failed, when all others are done.
    @discardableResult
    func runOnce() async throws -> Int {
        let failures = Failures()
        let first = try await takeBatch(failures)
        guard first == Self.batchSize else { return try failures.none(or: first) }
        let count = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<2 { group.addTask { try await takeBatches(failures) } }
            return try await group.reduce(first, +)
        }
        return try failures.none(or: count)
    }

    /// Takes batches until one is not full.
    private func takeBatches(_ failures: Failures) async throws -> Int {
        var count = 0
        while !Task.isCancelled {
            let taken = try await takeBatch(failures)
            count += taken
            guard taken == Self.batchSize else { break }
        }
        return count
    }

    private func takeBatch(_ failures: Failures) async throws -> Int {
        let claimed = Mutex<[UserID]>([])
        do {
            return try await postgres.transaction { tx in
                let users = try claim(tx, Self.batchSize)
                claimed.withLock { $0 = users }
                try accounts.takeLocked(tx, users)
                return users.count
            }
        } catch {
            let users = claimed.withLock { $0 }
            guard !users.isEmpty, failures.areFew else { throw error }
            return try await takeEach(of: users, failures)
        }
    }

    /// Takes the accounts of a failed batch one by one, so that one account cannot hold up the others.
    private func takeEach(of users: [UserID], _ failures: Failures) async throws -> Int {
        for user in users {
            try Task.checkCancellation()
            do {
                _ = try await postgres.transaction { tx in try accounts.lock(tx, user) }
            } catch {
                failures.add(error, of: user)
            }
        }
        return users.count
    }

    /// The job `companion_roll`: the ends of days of accounts with pets.
    static func ofPets(_ postgres: PostgresClient, _ accounts: CompanionAccounts) -> CompanionRollJob {
        let owners = CompanionOwnerStore()
        return CompanionRollJob(postgres: postgres, accounts: accounts) { tx, limit in
            try owners.claimPets(tx, limit: limit)
        }
    }
}

/// The accounts that have failed in one run of the job.
private final class Failures: Sendable {
    /// Where more accounts fail, the fault is not theirs, and no further batch is taken apart.
    private static let most = 20
    private let errors = Mutex<[UserID: any Error]>([:])

    var areFew: Bool { errors.withLock { $0.count <= Self.most } }

    func add(_ error: any Error, of user: UserID) {
        errors.withLock { $0[user] = error }
    }

    /// - Throws: the error of one of the accounts, if there is one.
    func none(or count: Int) throws -> Int {
        if let error = errors.withLock({ $0.values.first }) { throw error }
        return count
    }
}
