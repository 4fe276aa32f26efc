import CompanionRules
import FeatureKit
import HTTPKit
import PhoneService
import Postgres

/// The calls about a pet that is there, and its adoption.
struct CompanionPetService: Sendable {
    let postgres: PostgresClient
    let accounts: CompanionAccounts
    let rules: PetRules
    let totals: CompanionTotals

    /// - Throws: `CompanionError.notFound` without a pet.
    func pet(of user: UserID) async throws -> CompanionPetView {
        try await accounts.read(user) { tx, owner in
            view(try CompanionPetStore.require(tx, of: user), owner)
        }
    }

    /// - Throws: `CompanionError.petExists`; `IdempotencyKeyReused`.
    func adopt(
        _ draft: CompanionPetDraft, _ call: RepeatableCall, by user: UserID
    ) async throws -> Creation<CompanionPetView> {
        try await postgres.transaction { tx in
            let owner = try accounts.requireLocked(tx, user)
            return try IdempotencyKeyStore.once(tx, call, of: user, id: CompanionPetID(.version7())) { id in
                guard try CompanionPetStore.find(tx, of: user) == nil else { throw CompanionError.petExists }
                let state = CompanionPetState(draft, id: id, bornOn: owner.day)
                try CompanionPetStore.insert(tx, state, of: user)
                try accounts.setHasPet(tx, true, of: user)
                CompanionHints.petChanged(tx, of: user)
                return view(state, owner)
            } find: { _ in
                view(try CompanionPetStore.require(tx, of: user), owner)
            }
        }
    }

    /// - Throws: `CompanionError.notFound`.
    func rename(to name: String, by user: UserID) async throws -> CompanionPetView {
        try await change(user) { tx, state in
            state.name = name
            try CompanionPetStore.rename(tx, to: name, of: user)
        }
    }

    /// Dresses the pet in these cosmetics only.
    ///
    /// - Throws: `CompanionError.notFound`, `.notOwned`; 400 for two of one category.
    func dress(in items: [String], by user: UserID) async throws -> CompanionPetView {
        try await change(user) { tx, state in
            let owned = try CompanionCosmeticStore.owned(tx, by: user)
            guard owned.isSuperset(of: items) else { throw CompanionError.notOwned }
            let catalogue = try CompanionCatalogueStore.current(tx).catalogue
            guard items.compactMap(catalogue.cosmetic).fitTogether else {
                throw InputFault("/items", "must hold at most one cosmetic of each category")
            }
            state.outfit = items.sorted()
            try CompanionPetStore.dress(tx, in: state.outfit, of: user)
        }
    }

    /// Buys a food, which the pet eats at once.
    ///
    /// - Throws: `CompanionError.notFound`, `.wrongPetState`, `.notEnoughEnergy`; `IdempotencyKeyReused`.
    func feed(
        _ foodID: String, _ call: RepeatableCall, by user: UserID
    ) async throws -> CompanionPetPayment {
        try await postgres.transaction { tx in
            let owner = try accounts.requireLocked(tx, user)
            return try IdempotencyKeyStore.once(tx, call, of: user, id: CompanionPetID(.version7())) { _ in
                try feed(tx, foodID, owner)
            } find: { _ in
                CompanionPetPayment(
                    pet: view(try CompanionPetStore.require(tx, of: user), owner),
                    balances: try CompanionWallets.balances(tx, of: user))
            }.value
        }
    }

    private func feed(
        _ tx: PostgresTransaction, _ foodID: String, _ owner: CompanionOwner
    ) throws -> CompanionPetPayment {
        var state = try CompanionPetStore.require(tx, of: owner.user)
        let catalogue = try CompanionCatalogueStore.current(tx).catalogue
        guard let food = catalogue.food(foodID, for: state.species) else { throw CompanionError.notFound }
        guard state.pet.health != .dead else { throw CompanionError.wrongPetState }
        let figures = food.figures(for: state.species)
        let balances = try CompanionWallets.spend(
            tx, CompanionPosting(figures.energy, .energy, .food, ref: food.id), of: owner.user)
        state.pet.eat(figures)
        try CompanionPetStore.feed(tx, state.pet, of: owner.user)
        CompanionHints.petChanged(tx, of: owner.user)
        try totals.add(tx, [.food])
        return CompanionPetPayment(pet: view(state, owner), balances: balances)
    }

    private func change(
        _ user: UserID,
        _ change: @escaping @Sendable (PostgresTransaction, inout CompanionPetState) throws -> Void
    ) async throws -> CompanionPetView {
        try await postgres.transaction { tx in
            let owner = try accounts.requireLocked(tx, user)
            let before = try CompanionPetStore.require(tx, of: user)
            var state = before
            try change(tx, &state)
            if state != before { CompanionHints.petChanged(tx, of: user) }
            return view(state, owner)
        }
    }

    private func view(_ state: CompanionPetState, _ owner: CompanionOwner) -> CompanionPetView {
        CompanionPetView(state: state, now: owner.now, rules: rules)
    }
}
