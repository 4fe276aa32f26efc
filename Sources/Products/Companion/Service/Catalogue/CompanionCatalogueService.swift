import CompanionRules
import FeatureKit
import Postgres

/// Tells an owner everything that the catalogue in force offers now.
struct CompanionCatalogueService: Sendable {
    let accounts: CompanionAccounts

    struct View: Sendable {
        let version: Int
        let catalogue: Catalogue
        /// nil: without a pet.
        let species: Species?
        let cosmetics: [CompanionCosmeticView]
        let recovery: CompanionRecoveryState
    }

    func catalogue(for user: UserID) async throws -> View {
        try await accounts.read(user) { tx, owner in
            let inForce = try CompanionCatalogueStore.current(tx)
            let owned = try CompanionCosmeticStore.owned(tx, by: user)
            let pet = try CompanionPetStore.find(tx, of: user)
            return View(
                version: inForce.version, catalogue: inForce.catalogue, species: pet?.species,
                cosmetics: Self.cosmetics(inForce.catalogue, owned: owned, now: owner.now),
                recovery: try CompanionRecoveryState(tx, owner, pet, inForce.catalogue))
        }
    }

    /// Only its owners see a cosmetic that is not sold any more.
    private static func cosmetics(
        _ catalogue: Catalogue, owned: Set<String>, now: Instant
    ) -> [CompanionCosmeticView] {
        catalogue.cosmetics.filter { !$0.isRetired || owned.contains($0.id) }
            .map { CompanionCosmeticView($0, isOwned: owned.contains($0.id), now: now) }
    }
}
