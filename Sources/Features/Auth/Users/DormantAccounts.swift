import FeatureKit
import Foundation
import Logging
import Metrics

/// Deletes accounts that no client has used for a long time, as if their owners had done it. A phone number may have a new
/// owner by then, who must not find the old one's groups.
package struct DormantAccounts: Sendable {
    private static let batch = 100

    private let auth: AuthService
    private let age: Duration
    private let now: @Sendable () -> Date
    private let logger: Logger

    /// - Parameters:
    ///   - age: how long no client has used an account that is deleted.
    ///   - now: the service's own time, which PostgreSQL's must agree with.
    package init(auth: AuthService, age: Duration, now: @escaping @Sendable () -> Date, logger: Logger) {
        self.auth = auth
        self.age = age
        self.now = now
        self.logger = logger
    }

    /// Deletes one account after the other, each in a transaction of its own. An account whose deletion fails is left for
    /// the next run, and the others go on.
    ///
    /// - Returns: how many were deleted.
    /// - Throws: the first failure, once all the others are done.
    @discardableResult
    package func runOnce() async throws -> Int {
        let limit = DormancyLimit(age: age, now: now())
        var deleted = 0
        var kept: [UserID] = []
        var failure: (any Error)?
        while kept.count < Self.batch {
            let users = try await UserStore.dormant(
                auth.postgres, since: limit, beyond: kept, count: Self.batch)
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
