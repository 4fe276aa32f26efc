import CompanionRules
import FeatureKit
import Postgres

/// The part of Companion in a change of an account's time zone: days end by the old zone first, then the running day gets an
/// end by the new one.
struct CompanionZoneChange: Sendable {
    let accounts: CompanionAccounts

    init(accounts: CompanionAccounts) {
        self.accounts = accounts
    }

    var hook: ZoneChangeHook {
        ZoneChangeHook(
            before: { tx, user in _ = try accounts.lock(tx, user) },
            after: { tx, user in try moveEnd(tx, user) })
    }

    /// No day ends in the past: if the new zone's midnight has passed, the running day ends now.
    private func moveEnd(_ tx: PostgresTransaction, _ user: UserID) throws {
        guard var owner = try accounts.lock(tx, user) else { return }
        let key = CompanionDayKey(owner)
        guard let midnights = try CompanionMidnightStore.find(tx, [key])[key],
            let end = owner.runningDay.end(
                among: midnights.candidates(after: owner.dayTimes.beginsAt), zoneChangedAt: owner.now)
        else { throw PostgresError.decoding("a day has no end in the new zone") }
        guard end != owner.dayTimes.endsAt else { return }
        owner.dayTimes = DayTimes(beginsAt: owner.dayTimes.beginsAt, endsAt: end)
        try CompanionOwnerStore.write(tx, [owner])
        if var day = try CompanionDayStore.find(tx, owner.day, of: user) {
            day.figures.times = owner.dayTimes
            try CompanionDayStore.write(tx, [day], of: user)
        }
        try CompanionWindowStore.endMoved(tx, owner)
        CompanionHints.dayChanged(tx, of: user)
        // The day may end at this very instant.
        _ = try accounts.lock(tx, user)
    }
}
