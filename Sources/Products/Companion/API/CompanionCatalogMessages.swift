import DaylyAPI
import Foundation

/// `GET /v1/companion/catalog`: everything that is sold, with the prices of now.
public struct CompanionCatalog: Codable, Sendable, Equatable {
    /// Rises with each catalogue that comes into force.
    public var version: Int
    /// The foods for the user's pet; without a pet all.
    public var foods: [CompanionFood]
    public var cosmetics: [CompanionCosmetic]
    public var recovery: CompanionRecovery

    public init(
        version: Int, foods: [CompanionFood], cosmetics: [CompanionCosmetic],
        recovery: CompanionRecovery
    ) {
        self.version = version
        self.foods = foods
        self.cosmetics = cosmetics
        self.recovery = recovery
    }
}

/// A food with the figures that it has for the user's pet.
public struct CompanionFood: Codable, Sendable, Equatable {
    public var id: String
    public var title: String
    /// `cat`, `dog` or `both`.
    public var species: String
    /// The price.
    public var energy: Int
    public var fullness: Int
    public var mood: Int
    /// The share by which the pet grows more today, such as 0.025.
    public var buff: Double
    /// The name of the animation in the apps.
    @Nullable public var animation: String?

    public init(
        id: String, title: String, species: String, energy: Int, fullness: Int, mood: Int, buff: Double,
        animation: String?
    ) {
        self.id = id
        self.title = title
        self.species = species
        self.energy = energy
        self.fullness = fullness
        self.mood = mood
        self.buff = buff
        self._animation = Nullable(wrappedValue: animation)
    }
}

/// A thing that the pet can wear. It changes no number.
public struct CompanionCosmetic: Codable, Sendable, Equatable {
    public var id: String
    public var title: String
    /// A pet wears at most one thing of a category.
    public var category: String
    /// The price in energy; null where energy does not buy it.
    @Nullable public var energy: Int?
    /// The price in gems; null where gems do not buy it.
    @Nullable public var gems: Int?
    /// The season in which it is sold: from `from` to before `to`.
    @Nullable public var from: Date?
    @Nullable public var to: Date?
    public var owned: Bool
    /// It can be bought now: it is in season and not retired.
    public var available: Bool

    public init(
        id: String, title: String, category: String, energy: Int?, gems: Int?, from: Date?, to: Date?,
        owned: Bool, available: Bool
    ) {
        self.id = id
        self.title = title
        self.category = category
        self._energy = Nullable(wrappedValue: energy)
        self._gems = Nullable(wrappedValue: gems)
        self._from = Nullable(wrappedValue: from)
        self._to = Nullable(wrappedValue: to)
        self.owned = owned
        self.available = available
    }
}
