import DaylyClient
import DaylyAPI
import Foundation

/// The choice of a text of the diary, for a phone that shows it before the service has written it. The same user, day, kind
/// and history choose the same text.
public struct CompanionPhoneText: Sendable, Equatable {
    /// In its pool, from 0.
    public let number: Int
    public let text: String

    /// The figures of a text when it is written. Clocks are in the zone of the user's profile.
    public struct Figures: Sendable {
        public var hp: Int
        public var usedMinutes: Int
        public var limitMinutes: Int
        /// The `at` of the text.
        public var at: Date
        public var firstUseAt: Date?
        public var lastUseAt: Date?
        public var zone: TimeZone

        public init(
            hp: Int, usedMinutes: Int, limitMinutes: Int, at: Date, firstUseAt: Date? = nil,
            lastUseAt: Date? = nil, zone: TimeZone
        ) {
            self.hp = hp
            self.usedMinutes = usedMinutes
            self.limitMinutes = limitMinutes
            self.at = at
            self.firstUseAt = firstUseAt
            self.lastUseAt = lastUseAt
            self.zone = zone
        }
    }

    /// Chooses a text and fills it.
    ///
    /// - Parameters:
    ///   - pool: the pool's texts of ``CompanionRepository/texts(language:unless:)``.
    ///   - kind: `welcome`, `band.80` to `band.0`, `terminal` or `nightly`.
    ///   - day: the name of the day that the text is about.
    ///   - user: the user's id.
    ///   - figures: those that fill the text.
    ///   - lately: the numbers that the pool gave in its last 7 entries of the diary.
    ///   - isGerman: whether the texts are German.
    /// - Returns: nil if each text needs a figure that is missing.
    public static func choose(
        from pool: [String], kind: String, day: String, user: ResourceID, figures: Figures,
        lately: [Int] = [], isGerman: Bool = false
    ) -> CompanionPhoneText? {
        let words = CompanionPhoneWords(figures: figures, isTerminal: kind == "terminal", isGerman: isGerman)
        let texts = pool.map { words.fill($0) }
        let eligible = texts.indices.filter { texts[$0] != nil }
        let fresh = eligible.filter { !lately.contains($0) }
        let candidates = fresh.isEmpty ? eligible : fresh
        guard !candidates.isEmpty else { return nil }
        let number = candidates[Int(Double(candidates.count) * draw("\(user)|\(day)|\(kind)"))]
        return texts[number].map { CompanionPhoneText(number: number, text: $0) }
    }

    /// A number from 0 to below 1 that depends on the text alone: FNV-1a, whose bits the end of SplitMix64 spreads.
    static func draw(_ text: String) -> Double {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        hash = (hash ^ hash >> 30) &* 0xbf58_476d_1ce4_e5b9
        hash = (hash ^ hash >> 27) &* 0x94d0_49bb_1331_11eb
        return Double((hash ^ hash >> 31) >> 11) / 9_007_199_254_740_992
    }
}
