import FeatureKit
import Foundation
import Logging
import Metrics

/// Deletes accounts that no client has used for a long time, exactly as their owners would. By then the phone number may
/// have a new owner, who must not find the old owner's groups.
struct DormantAccounts: Sendable {
    private static let batch = 100

    private let auth: AuthService
    private let age: Duration
    private let now: @Sendable () -> Date
    private let logger: Logger

    /// - Parameters:
    ///   - age: the time without any use after which an account is deleted.
    ///   - now: the process's own clock. PostgreSQL's clock must agree with it.
    init(auth: AuthService, age: Duration, now: @escaping @Sendable () -> Date, logger: Logger) {
        self.auth = auth
        self.age = age
        self.now = now
        self.logger = logger
    }

    /// Deletes one account after the other, each in its own transaction. When one deletion fails, the next run repeats it,
    /// and this run continues with the other accounts.
    ///
    /// - Returns: the number of deleted accounts.
    /// - Throws: the first failure, after all other accounts.
    @discardableResult
    func runOnce() async throws -> Int {
        let limit = DormancyLimit(age: age, now: now())
        var deleted = 0
        var kept: [UserID] = []
        var failure: (any Error)?
        while kept.count < Self.batch {
            let users = try await auth.users.dormant(
                since: limit, beyond: kept, count: Self.batch)
            if users.isEmpty { break }
            for user in users {
                try Task.checkCancellation()
                do {
                    if try await auth.delete(user, ifDormantSince: limit) {
                        deleted += 1
                    } else {
                        kept.append(user)
                    }
                } catch {
                    failure = failure ?? error
                    kept.append(user)
                }
            }
        }
        if deleted > 0 {
            Counter(label: "dayly_dormant_accounts_deleted_total").increment(by: deleted)
            logger.notice("dormant accounts were deleted", metadata: ["count": "\(deleted)"])
        }
        if let failure { throw failure }
        return deleted
    }
}
