import CompanionRules
import DaylyAPI
import DaylyClient
import DeviceIntake
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
        let chosen = DiaryChoice.entry(
            from: pool.map(DiaryTemplate.init), figures: figures.rules(isTerminal: kind == "terminal"),
            draw: Draw(.text("\(user)"), .text(day), .text(kind)), lately: lately,
            language: isGerman ? .german : .english)
        return chosen.map { CompanionPhoneText(number: $0.number, text: $0.text) }
    }
}

extension CompanionPhoneText.Figures {
    fileprivate func rules(isTerminal: Bool) -> DiaryFigures {
        DiaryFigures(
            hp: hp, usedMinutes: usedMinutes, limitMinutes: limitMinutes, atMinute: minute(at),
            firstUseMinute: firstUseAt.map(minute), lastUseMinute: lastUseAt.map(minute),
            isTerminal: isTerminal)
    }

    private func minute(_ time: Date) -> Int {
        Calendar(companion: zone).clock(at: time).minute
    }
}
