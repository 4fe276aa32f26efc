import Analytics
import CompanionRules
import Postgres

/// Counts by the day, in the transaction of the cause, what happens to pets and wallets. The counts are about nobody.
struct CompanionTotals: Sendable {
    /// The things that are counted. The raw values are the names in `analytics_totals`.
    enum Name: String, Sendable {
        case food = "companion_food"
        case cure = "companion_cure"
        case revive = "companion_revive"
        case restart = "companion_restart"
        case purchase = "companion_purchase"
        case refund = "companion_refund"
        case healthy = "companion_healthy"
        case sick = "companion_sick"
        case dead = "companion_dead"

        /// A change of a pet's health.
        init(_ health: PetHealth) {
            switch health {
            case .healthy: self = .healthy
            case .sick: self = .sick
            case .dead: self = .dead
            }
        }

        init(_ recovery: RecoveryKind) {
            switch recovery {
            case .cure: self = .cure
            case .revive: self = .revive
            case .restart: self = .restart
            }
        }
    }

    func add(_ tx: PostgresTransaction, _ names: [Name]) throws {
        guard !names.isEmpty else { return }
        try AnalyticsTotals.add(tx, Dictionary(names.map { ($0.rawValue, 1) }, uniquingKeysWith: +))
    }
}
