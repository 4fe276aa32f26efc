import CompanionRules
import FeatureKit
import Notifications
import Postgres

/// The resets at the ends of days: a part of what is due.
struct CompanionPetResets: Sendable {
    let rules: PetRules
    let totals: CompanionTotals
    let notices: CompanionPetNotices

    /// Resets the pets of all these owners, day by day. An owner without a pet costs nothing but
    /// a place in the statement.
    func daysEnded(_ tx: PostgresTransaction, _ batch: [CompanionEndedDays]) throws {
        var findings: [CompanionResetFinding] = []
        let owners = batch.filter(\.owner.hasPet)
        for number in 0..<(owners.map(\.days.count).max() ?? 0) {
            let days = owners.filter { $0.days.indices.contains(number) }.map {
                CompanionPetDay(user: $0.owner.user, ended: $0.days[number])
            }
            let reset = try CompanionResetStore.reset(tx, days, rules: rules)
            findings += reset.findings
            // The pets that are left are dead.
            if reset.count == 0 { break }
        }
        guard !owners.isEmpty else { return }
        CompanionHints.petChanged(tx, of: owners.map(\.owner.user))
        try notices.post(tx, findings, about: owners)
        try totals.add(tx, findings.filter(\.hasChanged).map { CompanionTotals.Name($0.health) })
    }
}
