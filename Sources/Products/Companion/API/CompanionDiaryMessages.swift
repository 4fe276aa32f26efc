import DaylyAPI
import Foundation

/// A text of the cat.
public struct CompanionEntry: Codable, Sendable, Equatable {
    public var id: ResourceID
    /// The day that the text is about.
    public var day: String
    /// The time of the event that caused the text.
    public var at: Date
    /// `welcome`, `band`, `terminal` or `nightly`.
    public var kind: String
    /// The pool that the text was chosen from.
    public var pool: String
    /// The band that the cat fell to; null for a `welcome` and a `nightly`.
    @Nullable public var band: Int?
    /// The health points when the text was written.
    public var hp: Int
    /// The number of the text in its pool, from 0.
    public var number: Int
    /// The text with its figures filled in.
    public var text: String

    public init(
        id: ResourceID, day: String, at: Date, kind: String, pool: String, band: Int?, hp: Int, number: Int,
        text: String
    ) {
        self.id = id
        self.day = day
        self.at = at
        self.kind = kind
        self.pool = pool
        self._band = Nullable(wrappedValue: band)
        self.hp = hp
        self.number = number
        self.text = text
    }
}

/// `GET /v1/companion/diary`: newest first.
public struct CompanionDiary: Codable, Sendable {
    public var entries: [CompanionEntry]
    /// For the next page; null on the last one.
    @Nullable public var cursor: String?

    public init(entries: [CompanionEntry], cursor: String?) {
        self.entries = entries
        self._cursor = Nullable(wrappedValue: cursor)
    }
}

/// `GET /v1/companion/texts`: the templates of all texts, in the language of the request.
public struct CompanionTextPools: Codable, Sendable, Equatable {
    /// Rises with each change of the texts.
    public var version: Int
    /// The texts of each pool, numbered from 0. Placeholders stand between two pairs of braces.
    public var pools: [String: [String]]

    public init(version: Int, pools: [String: [String]]) {
        self.version = version
        self.pools = pools
    }
}
