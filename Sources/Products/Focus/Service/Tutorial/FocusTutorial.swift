import FeatureKit
import FocusRules
import Postgres

/// The tutorial, which pays once.
struct FocusTutorial: Sendable {
    static let cause = "tutorial"

    /// A user's part in the tutorial. The raw values are those of the API.
    enum Progress: String, Sendable {
        case offered, done, none
    }

    let postgres: PostgresClient
    let members: FocusMemberStore
    let settings: FocusSettings
    let partitions: FocusPartitions
    let ledger: FocusLedger

    /// Pays for the tutorial, the first time.
    ///
    /// - Returns: the totals afterwards.
    /// - Throws: `FocusError.notFound` if the user is not offered the tutorial.
    func finish(by user: UserID) async throws -> FocusLedgerStore.Totals {
        try await partitions.retrying {
            try await postgres.transaction { tx in
                let member = try members.requireLocked(tx, user)
                if try progress(tx, of: user) == .none { throw FocusError.notFound }
                if try ledger.pay(tx, member, cause: Self.cause, xp: tutorialXP, on: member.today) {
                    FocusHints().nowChanged(tx, of: user)
                }
                return try FocusLedgerStore.totals(tx, of: user)
            }
        }
    }

    func progress(_ tx: PostgresTransaction, of user: UserID) throws -> Progress {
        progress(of: user, isPaid: try FocusLedgerStore.hasPaid(tx, user, cause: Self.cause))
    }

    func progress(of user: UserID, isPaid: Bool) -> Progress {
        if isPaid { return .done }
        let isOffered = isTutorialOffered(user: "\(user.resourceID)", percent: settings.tutorialPercent)
        return isOffered ? .offered : .none
    }
}
