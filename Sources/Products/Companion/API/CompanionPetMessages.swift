import DaylyAPI
import Foundation

/// A user's pet.
public struct CompanionPet: Codable, Sendable, Equatable {
    public var id: ResourceID
    /// `cat` or `dog`.
    public var species: String
    public var name: String
    /// `healthy`, `sick` or `dead`.
    public var health: String
    /// A revived pet is fragile until then; null when that has passed, and if it was never revived.
    @Nullable public var fragileUntil: Date?
    /// Unfed days in a row.
    public var unfedDays: Int
    /// Whether today's food suffices.
    public var fedToday: Bool
    /// The energy that today's food cost.
    public var fedEnergy: Int
    /// Today's buff, as far as the pet's health lets it count: 0 to 0.25.
    public var buff: Double
    /// 0 to 100.
    public var fullness: Int
    /// 0 to 10.
    public var mood: Int
    public var growth: Int
    /// `baby`, `young`, `adult` or `elder`.
    public var stage: String
    /// The day of adoption.
    public var bornOn: String
    /// The day at whose end it died; null while it lives.
    @Nullable public var diedOn: String?
    /// The ids of the cosmetics that it wears, sorted.
    public var outfit: [String]

    public init(
        id: ResourceID, species: String, name: String, health: String, fragileUntil: Date?, unfedDays: Int,
        fedToday: Bool, fedEnergy: Int, buff: Double, fullness: Int, mood: Int, growth: Int, stage: String,
        bornOn: String, diedOn: String?, outfit: [String]
    ) {
        self.id = id
        self.species = species
        self.name = name
        self.health = health
        self._fragileUntil = Nullable(wrappedValue: fragileUntil)
        self.unfedDays = unfedDays
        self.fedToday = fedToday
        self.fedEnergy = fedEnergy
        self.buff = buff
        self.fullness = fullness
        self.mood = mood
        self.growth = growth
        self.stage = stage
        self.bornOn = bornOn
        self._diedOn = Nullable(wrappedValue: diedOn)
        self.outfit = outfit
    }

    enum CodingKeys: String, CodingKey {
        case id
        case species
        case name
        case health
        case fragileUntil = "fragile_until"
        case unfedDays = "unfed_days"
        case fedToday = "fed_today"
        case fedEnergy = "fed_energy"
        case buff
        case fullness
        case mood
        case growth
        case stage
        case bornOn = "born_on"
        case diedOn = "died_on"
        case outfit
    }
}

/// `POST /v1/companion/pet` and `POST /v1/companion/pet/restart`.
public struct CompanionNewPet: Codable, Sendable {
    /// `cat` or `dog`.
    public var species: String
    public var name: String

    public init(species: String, name: String) {
        self.species = species
        self.name = name
    }
}

/// `PATCH /v1/companion/pet`.
public struct CompanionPetName: Codable, Sendable {
    public var name: String

    public init(name: String) {
        self.name = name
    }
}

/// `POST /v1/companion/pet/feed`.
public struct CompanionMeal: Codable, Sendable {
    /// The id of a food.
    public var itemID: String

    public init(itemID: String) {
        self.itemID = itemID
    }

    enum CodingKeys: String, CodingKey {
        case itemID = "item_id"
    }
}

/// `PUT /v1/companion/pet/outfit`: everything that the pet wears afterwards.
public struct CompanionOutfit: Codable, Sendable {
    /// The ids of cosmetics, at most one of each category.
    public var items: [String]

    public init(items: [String]) {
        self.items = items
    }
}

/// `POST /v1/companion/pet/cure` and `POST /v1/companion/pet/revive`: an object without members.
public struct CompanionRecoveryRequest: Codable, Sendable {
    public init() {}
}

/// The answer of every call by which a user pays for something of the pet.
public struct CompanionPetAndWallet: Codable, Sendable, Equatable {
    public var pet: CompanionPet
    public var wallet: CompanionWallet

    public init(pet: CompanionPet, wallet: CompanionWallet) {
        self.pet = pet
        self.wallet = wallet
    }
}
