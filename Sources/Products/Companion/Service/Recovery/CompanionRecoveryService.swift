import CompanionRules
import FeatureKit
import HTTPKit
import Postgres

/// A recovery that an owner asks for.
enum CompanionRecoveryWish: Sendable, Equatable {
    case cure
    case revive
    case restart(CompanionPetDraft)

    var kind: RecoveryKind {
        switch self {
        case .cure: .cure
        case .revive: .revive
        case .restart: .restart
        }
    }
}

/// Cures, revivals and restarts.
struct CompanionRecoveryService: Sendable {
    let postgres: PostgresClient
    let accounts: CompanionAccounts
    let rules: PetRules
    let totals: CompanionTotals

    /// - Throws: `CompanionError.notFound`, `.wrongPetState`, `.recoveryUnavailable`, `.notEnoughGems`; `IdempotencyKeyReused`.
    func take(
        _ recovery: CompanionRecoveryWish, _ call: RepeatableCall, by user: UserID
    ) async throws -> CompanionPetPayment {
        try await postgres.transaction { tx in
            let owner = try accounts.requireLocked(tx, user)
            let id = CompanionRecoveryID(.version7())
            return try IdempotencyKeyStore.once(tx, call, of: user, id: id) { id in
                try take(tx, recovery, id, owner)
            } find: { _ in
                try payment(tx, owner, CompanionWallets.balances(tx, of: user))
            }.value
        }
    }

    private func take(
        _ tx: PostgresTransaction, _ recovery: CompanionRecoveryWish, _ id: CompanionRecoveryID,
        _ owner: CompanionOwner
    ) throws -> CompanionPetPayment {
        let kind = recovery.kind
        let state = try CompanionPetStore.require(tx, of: owner.user)
        guard state.pet.health == kind.from else { throw CompanionError.wrongPetState }
        let catalogue = try CompanionCatalogueStore.current(tx).catalogue
        let offer = try CompanionRecoveryState(tx, owner, state, catalogue)[kind]
        if let retryAt = offer.retryAt { throw CompanionError.recoveryUnavailable(retryAt: retryAt) }
        let price = CompanionPosting(
            offer.gems, .gems, kind.ledgerKind, ref: state.id.resourceID.description)
        let balances = try CompanionWallets.spend(tx, price, of: owner.user)
        try CompanionRecoveryStore.insert(tx, id, kind, of: state.id, owner)
        try apply(tx, recovery, state, catalogue, owner)
        CompanionHints.petChanged(tx, of: owner.user)
        let payment = try payment(tx, owner, balances)
        try count(tx, kind)
        return payment
    }

    private func apply(
        _ tx: PostgresTransaction, _ recovery: CompanionRecoveryWish, _ state: CompanionPetState,
        _ catalogue: Catalogue, _ owner: CompanionOwner
    ) throws {
        var pet = state.pet
        switch recovery {
        case .cure: pet.cure()
        case .revive: pet.revive(now: owner.now, fragileDays: catalogue.revive.fragileDays ?? 0)
        case .restart(let draft): return try restart(tx, state, draft, owner)
        }
        try CompanionPetStore.recover(tx, pet, of: owner.user)
    }

    private func restart(
        _ tx: PostgresTransaction, _ dead: CompanionPetState, _ draft: CompanionPetDraft,
        _ owner: CompanionOwner
    ) throws {
        try CompanionMemorialStore.insert(tx, dead, owner)
        let born = CompanionPetState(draft, id: CompanionPetID(.version7()), bornOn: owner.day)
        try CompanionPetStore.replace(tx, by: born, of: owner.user)
    }

    private func payment(
        _ tx: PostgresTransaction, _ owner: CompanionOwner, _ balances: CompanionBalances
    ) throws -> CompanionPetPayment {
        let state = try CompanionPetStore.require(tx, of: owner.user)
        return CompanionPetPayment(
            pet: CompanionPetView(state: state, now: owner.now, rules: rules), balances: balances)
    }

    /// A restart begins a new pet. It changes no pet's health.
    private func count(_ tx: PostgresTransaction, _ kind: RecoveryKind) throws {
        try totals.add(tx, [CompanionTotals.Name(kind)] + (kind == .restart ? [] : [.healthy]))
    }
}
