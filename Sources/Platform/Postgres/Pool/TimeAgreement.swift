import Foundation
import Synchronization

/// Compares the server's time with another clock.
package protocol TimeJudge: Sendable {
    /// Compares by what is known already.
    ///
    /// - Throws: where the server's time is too far from that of the other clock.
    func verify(_ databaseNow: Date) throws
    /// The same, with the other clock asked again before it says that they are too far apart.
    func judge(_ databaseNow: Date) async throws
}

/// Whether the server's time can be trusted. Transactions whose effect a right clock would not undo ask it, by
/// `PostgresTransaction.requireAgreed(_:)`.
package final class TimeAgreement: Sendable {
    private let judge = Mutex<(any TimeJudge)?>(nil)

    package init() {}

    /// Without a judge every time is trusted.
    package func set(_ judge: any TimeJudge) { self.judge.withLock { $0 = judge } }

    func verify(_ now: Date) throws(DoubtedTime) {
        do {
            try judge.withLock { $0 }?.verify(now)
        } catch {
            throw DoubtedTime(now: now, reason: error)
        }
    }

    /// Returns where the doubt was not justified.
    ///
    /// - Throws: the judge's error.
    func settle(_ doubt: DoubtedTime) async throws {
        try await judge.withLock { $0 }?.judge(doubt.now)
    }
}

/// Thrown in a transaction whose time is in doubt. Callers see the judge's error instead.
struct DoubtedTime: Untimely {
    let now: Date
    let reason: any Error
}

extension PostgresTransaction {
    /// Refuses a transaction that does something by its time which would last when the clock has been set right. Call it before
    /// such a change.
    ///
    /// - Parameter now: the transaction's time.
    /// - Throws: an error that the body must not catch. The caller of the transaction gets the judge's error.
    package func requireAgreed(_ now: Date) throws { try timeAgreement.verify(now) }

    /// Whether the transaction's time can be trusted, by what is known already.
    package func isAgreed(_ now: Date) -> Bool { (try? timeAgreement.verify(now)) != nil }
}
