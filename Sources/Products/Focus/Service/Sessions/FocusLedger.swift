import FeatureKit
import FocusRules
import Postgres

/// Pays XP and as many coins.
struct FocusLedger: Sendable {
    let seats: FocusLeagueSeats

    /// Pays for a cause, once. XP are league points of the week of the local day on which they were earned.
    ///
    /// - Returns: false if the cause has paid before.
    @discardableResult
    func pay(
        _ tx: PostgresTransaction, _ member: FocusMember, cause: String, xp: Int, on day: DayNumber
    ) throws -> Bool {
        guard try FocusLedgerStore.pay(tx, member.user, cause: cause, xp: xp, on: day) else { return false }
        try FocusDayStore.addXP(tx, xp, on: day, to: member.user)
        try seats.pointsGrew(tx, member)
        return true
    }
}
