import DaylyAPI
import Foundation

/// A pet that died, and whose owner has a new one.
public struct CompanionMemorial: Codable, Sendable, Equatable {
    public var id: ResourceID
    public var name: String
    /// `cat` or `dog`.
    public var species: String
    /// `baby`, `young`, `adult` or `elder`.
    public var stage: String
    /// The day of adoption.
    public var bornOn: String
    /// The day at whose end it died.
    public var diedOn: String
    /// The days on which it lived, the first and the last included.
    public var days: Int
    /// The ids of the cosmetics that it wore, sorted.
    public var outfit: [String]

    public init(
        id: ResourceID, name: String, species: String, stage: String, bornOn: String, diedOn: String,
        days: Int, outfit: [String]
    ) {
        self.id = id
        self.name = name
        self.species = species
        self.stage = stage
        self.bornOn = bornOn
        self.diedOn = diedOn
        self.days = days
        self.outfit = outfit
    }

    enum CodingKeys: String, CodingKey {
        case id
        case name
        case species
        case stage
        case bornOn = "born_on"
        case diedOn = "died_on"
        case days
        case outfit
    }
}

/// `GET /v1/companion/memorials`: newest first.
public struct CompanionMemorialPage: Codable, Sendable {
    public var memorials: [CompanionMemorial]
    /// For the next page; null on the last one.
    @Nullable public var cursor: String?

    public init(memorials: [CompanionMemorial], cursor: String?) {
        self.memorials = memorials
        self._cursor = Nullable(wrappedValue: cursor)
    }
}
