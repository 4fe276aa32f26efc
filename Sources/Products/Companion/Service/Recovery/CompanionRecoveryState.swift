import CompanionRules
import FeatureKit
import Postgres

/// A recovery's price now, and when it is possible.
struct CompanionRecoveryTerms: Sendable, Equatable {
    let gems: Int
    /// nil: pause and count allow it now.
    let retryAt: Instant?
    /// When it costs nothing any more; nil but for the restart of a dead pet.
    let freeAt: Instant?
}

/// The costs of the recoveries for an owner, as the catalogue in force and the owner's earlier ones have it.
struct CompanionRecoveryState: Sendable {
    private let catalogue: Catalogue
    private let earlier: [RecoveryKind: [Instant]]
    private let diedAt: Instant?
    private let now: Instant

    /// - Parameter pet: nil without a pet.
    init(
        _ tx: PostgresTransaction, _ owner: CompanionOwner, _ pet: CompanionPetState?, _ catalogue: Catalogue
    ) throws {
        self.catalogue = catalogue
        earlier = try CompanionRecoveryStore.earlier(tx, of: owner.user)
        diedAt = pet?.pet.diedAt
        now = owner.now
    }

    subscript(kind: RecoveryKind) -> CompanionRecoveryTerms {
        let terms = catalogue.terms(of: kind)
        return CompanionRecoveryTerms(
            gems: terms.gems(diedAt: diedAt, now: now),
            retryAt: terms.limits.retryAt(earlier: earlier[kind] ?? [], now: now),
            freeAt: terms.freeAt(diedAt: diedAt))
    }
}
