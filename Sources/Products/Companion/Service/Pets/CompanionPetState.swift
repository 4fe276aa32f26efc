import CompanionRules
import FeatureKit

enum CompanionPetTag {}
typealias CompanionPetID = ID<CompanionPetTag>

/// An owner's pet, as its row keeps it.
struct CompanionPetState: Sendable, Equatable {
    let id: CompanionPetID
    let species: Species
    var name: String
    var pet: Pet
    /// The ids of the cosmetics that it wears, sorted.
    var outfit: [String] = []

    /// A new pet. It wears nothing.
    init(_ draft: CompanionPetDraft, id: CompanionPetID, bornOn: DayNumber) {
        self.init(id: id, species: draft.species, name: draft.name, pet: Pet(bornOn: bornOn))
    }

    init(
        id: CompanionPetID, species: Species, name: String, pet: Pet, outfit: [String] = []
    ) {
        self.id = id
        self.species = species
        self.name = name
        self.pet = pet
        self.outfit = outfit
    }
}

/// A pet that is to begin, as its owner has chosen it.
struct CompanionPetDraft: Sendable, Equatable {
    let species: Species
    let name: String
}

/// A pet with what its figures depend on beside its row.
struct CompanionPetView: Sendable {
    let state: CompanionPetState
    let now: Instant
    let rules: PetRules
}

/// The answer of a call that paid for something.
struct CompanionPetPayment: Sendable {
    let pet: CompanionPetView
    let balances: CompanionBalances
}
