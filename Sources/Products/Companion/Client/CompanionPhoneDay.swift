import CompanionAPI
import CompanionRules
import Foundation

/// A day as a phone computes it by itself, so that the cat reacts at once and without a connection.
///
/// Begin with the service's day, and apply the events that are not acknowledged. The bypasses of other phones come with the
/// next answer. The service judges in the same way, by its clock.
public struct CompanionPhoneDay: Codable, Sendable, Equatable {
    /// The judgement of a bypass. The raw values of refusals are those of ``CompanionSynced/Rejected``.
    public enum Judgement: String, Sendable {
        case accepted
        /// The day has no hp.
        case locked
        /// This phone's window is open.
        case windowOpen = "window_open"
        /// The schedule has the shields down.
        case notShielded = "not_shielded"
    }

    /// The time for which a bypass opens the shielded apps of this phone.
    public struct Window: Codable, Sendable, Equatable {
        public let opened: Date
        /// Excluded.
        public let closes: Date

        public func contains(_ time: Date) -> Bool { opened <= time && time < closes }

        fileprivate init(_ window: BypassWindow) {
            opened = Date(timeIntervalSince1970: TimeInterval(window.opened))
            closes = Date(timeIntervalSince1970: TimeInterval(window.closes))
        }

        fileprivate var rules: BypassWindow {
            BypassWindow(opened: opened.instant, closes: closes.instant)
        }
    }

    /// The local date at the beginning.
    public let day: String
    public let beginsAt: Date
    public let endsAt: Date
    /// The accepted ones.
    public private(set) var bypasses: Int
    /// This phone's last window, which may have opened on an earlier day. It runs on over the end of a day.
    public private(set) var window: Window?

    /// - Parameters:
    ///   - day: the service's answer.
    ///   - window: that of the day that this phone has computed before.
    public init(_ day: CompanionDay, window: Window? = nil) {
        self.init(
            day: day.day, beginsAt: day.beginsAt, endsAt: day.endsAt, bypasses: day.bypasses, window: window)
    }

    private init(day: String, beginsAt: Date, endsAt: Date, bypasses: Int = 0, window: Window?) {
        self.day = day
        self.beginsAt = beginsAt
        self.endsAt = endsAt
        self.bypasses = bypasses
        self.window = window
    }

    public var hp: Int { dayHP(bypasses: bypasses) }

    public var band: CompanionPhoneBand { CompanionPhoneBand(hp: hp) }

    /// Takes a bypass at a time within this day.
    /// - Parameters:
    ///   - time: the time at which the user opened the apps.
    ///   - settings: the user's, as the service answered them.
    ///   - zone: that of the user's profile.
    public mutating func bypass(
        at time: Date, settings: CompanionPreferences, zone: TimeZone
    ) -> Judgement {
        let refusal = BypassRules.refusal(
            of: time.instant, hp: hp, lastWindow: window?.rules,
            isShielded: settings.schedule?.isUp(at: time, zone: zone) ?? true)
        if let refusal { return Judgement(rawValue: refusal.rawValue) ?? .notShielded }
        bypasses += 1
        let opened = BypassRules.window(
            openedBy: time.instant, hp: hp, cooldownMinutes: settings.cooldownMinutes)
        if let opened { window = Window(opened) }
        return .accepted
    }

    /// Shuts the apps again, if the window is open.
    public mutating func reshield(at time: Date) {
        guard var rules = window?.rules, rules.reshield(at: time.instant) else { return }
        window = Window(rules)
    }

    /// The day after this one, with 100 hp. Its end holds until the zone changes.
    /// - Parameter zone: that of the user's profile.
    public func next(zone: TimeZone) -> CompanionPhoneDay {
        let calendar = Calendar(companion: zone)
        let name = calendar.startOfDay(for: endsAt)
        let earliest = endsAt.addingTimeInterval(18 * 3600)
        // Noon is on its date in every zone; a date that a zone leaves out becomes the one after it.
        let midnights = (1...4).compactMap { days in
            calendar.date(byAdding: .day, value: days, to: calendar.noon(of: name))
        }.map { calendar.startOfDay(for: $0) }
        let end = midnights.first { $0 > name && $0 >= earliest } ?? earliest
        return CompanionPhoneDay(
            day: calendar.dateText(of: endsAt), beginsAt: endsAt, endsAt: end, window: window)
    }
}

extension Date {
    /// The service counts in whole seconds.
    fileprivate var instant: Instant { Instant(timeIntervalSince1970.rounded(.down)) }
}

extension Calendar {
    fileprivate func noon(of date: Date) -> Date {
        self.date(bySettingHour: 12, minute: 0, second: 0, of: date) ?? date
    }

    fileprivate func dateText(of time: Date) -> String {
        let parts = dateComponents([.year, .month, .day], from: time)
        let numbers = [(parts.year ?? 0, 4), (parts.month ?? 0, 2), (parts.day ?? 0, 2)]
        return numbers.map { number, width in
            let digits = String(number)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }.joined(separator: "-")
    }
}
