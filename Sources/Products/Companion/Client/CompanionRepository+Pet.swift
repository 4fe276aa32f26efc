import CompanionAPI
import DaylyClient
import DaylyAPI
import Foundation

/// The pet, and what it costs. Calls that make something take a key: the same key and request again have no other effect, so
/// that an app can repeat a call whose answer was lost. The answer to a repetition has things as they are then.
extension CompanionRepository {
    /// - Throws: `not_found` without a pet.
    public func pet(unless version: EntityVersion? = nil) async throws(DaylyError) -> Fetched<CompanionPet> {
        try await calls.getIfChanged(.getCompanionPet, unless: version)
    }

    /// - Throws: `pet_exists`, also for a dead one.
    public func adopt(_ pet: CompanionNewPet, key: UUID = UUID()) async throws(DaylyError) -> CompanionPet {
        try await calls.get(.adoptCompanionPet, json: pet, headers: .key(key))
    }

    public func renamePet(to name: String) async throws(DaylyError) -> CompanionPet {
        try await calls.get(.renameCompanionPet, json: CompanionPetName(name: name))
    }

    /// Buys a food and feeds it to the pet.
    ///
    /// - Throws: `not_found` without a pet or such a food for it; `wrong_pet_state` for a dead one; `not_enough_energy`.
    public func feed(_ food: String, key: UUID = UUID()) async throws(DaylyError) -> CompanionPetAndWallet {
        try await calls.get(.feedCompanionPet, json: CompanionMeal(itemID: food), headers: .key(key))
    }

    // MARK: Recovery

    /// Makes a sick pet healthy.
    ///
    /// - Throws: `wrong_pet_state`; `recovery_unavailable`, whose document's `retryAt` says when it is possible again;
    ///   `not_enough_gems`.
    public func cure(key: UUID = UUID()) async throws(DaylyError) -> CompanionPetAndWallet {
        try await calls.get(.cureCompanionPet, json: CompanionRecoveryRequest(), headers: .key(key))
    }

    /// Brings a dead pet back, which is fragile at first.
    ///
    /// - Throws: as ``cure(key:)``.
    public func revive(key: UUID = UUID()) async throws(DaylyError) -> CompanionPetAndWallet {
        try await calls.get(.reviveCompanionPet, json: CompanionRecoveryRequest(), headers: .key(key))
    }

    /// Keeps a memorial of a dead pet, and begins with a new one.
    ///
    /// - Throws: as ``cure(key:)``.
    public func restart(
        with pet: CompanionNewPet, key: UUID = UUID()
    ) async throws(DaylyError) -> CompanionPetAndWallet {
        try await calls.get(.restartCompanionPet, json: pet, headers: .key(key))
    }

    /// The pets that have died and were replaced, newest first, 50 at a time.
    public func memorials(after cursor: String? = nil) async throws(DaylyError) -> CompanionMemorialPage {
        try await calls.get(.listCompanionMemorials, query: [("cursor", cursor)])
    }

    public func remove(memorial id: ResourceID) async throws(DaylyError) {
        try await calls.perform(.deleteCompanionMemorial, path: [id.description])
    }
}
