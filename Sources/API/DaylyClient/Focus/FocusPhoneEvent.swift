import DaylyAPI
import Foundation

/// Something that happens on the user's phone and that Focus counts.
public enum FocusPhoneEvent: Sendable, Equatable {
    /// The phone was locked.
    case lock(LockSource)
    /// The phone was unlocked, which ends the streak.
    case unlock(UnlockSource)
    /// The user opened the app of an intention.
    case open(intention: ResourceID)
    /// The screen time of a local day so far. A final report is made on a later day, and none follows it.
    case usage(day: String, minutes: Int, isFinal: Bool = false)

    /// How the phone learned of a lock.
    public enum LockSource: String, Sendable, CaseIterable {
        case automatic
        /// The user began a streak by hand.
        case manual
    }

    /// How the phone learned of an unlock.
    public enum UnlockSource: String, Sendable, CaseIterable {
        case automatic
        /// An automation of Shortcuts.
        case shortcut
        /// The user ended a streak by hand.
        case manual
        /// The app was installed.
        case install
        /// The unlock that the app asks for during the set-up.
        case verification
    }

    /// The thresholds of a day's screen time, in minutes, at which a phone reports: each half hour up to 16 hours, and
    /// ten minutes before each full hour.
    public static let usageThresholds = (1...96).map { $0 * 10 }.filter { $0 % 30 == 0 || $0 % 60 == 50 }
}

/// The time since the phone's start, which nobody can set as they can set a clock.
public struct FocusUptime: Sendable, Equatable {
    /// Identifies the start.
    public let bootID: String
    public let seconds: Int

    /// Nil if the service would refuse it: an id has 1 to 64 visible ASCII characters.
    public init?(bootID: String, seconds: Int) {
        guard (1...64).contains(bootID.utf8.count), bootID.utf8.allSatisfy({ 0x21...0x7e ~= $0 }),
            seconds >= 0
        else { return nil }
        self.bootID = bootID
        self.seconds = seconds
    }
}

extension FocusSyncEvent {
    /// The event as it goes over the wire.
    init(_ event: FocusPhoneEvent, seq: Int, at: Date, uptime: FocusUptime?) {
        self.init(seq: seq, kind: "", at: at, bootID: uptime?.bootID, uptime: uptime?.seconds)
        switch event {
        case .lock(let source): (kind, self.source) = ("lock", source.rawValue)
        case .unlock(let source): (kind, self.source) = ("unlock", source.rawValue)
        case .open(let intention): (kind, intentionID) = ("open", intention)
        case .usage(let day, let minutes, let isFinal):
            (kind, self.day, self.minutes) = ("usage", day, min(max(minutes, 0), 1_440))
            if isFinal { final = true }
        }
    }
}

extension FocusPhoneEvent {
    /// The service refuses a whole sync for one event that is malformed, so such an event must never get a number.
    func check() throws(DaylyError) {
        guard case .usage(let day, _, _) = self, !Self.isDay(day) else { return }
        throw .problem(
            ProblemDocument(
                type: "/problems/invalid_request", title: "The request is not valid.", status: 400,
                detail: "\(day) is not a day such as 2026-03-02.", code: ProblemCode.invalidRequest.rawValue))
    }

    private static func isDay(_ text: String) -> Bool {
        guard text.wholeMatch(of: #/[0-9]{4}-[0-9]{2}-[0-9]{2}/#) != nil else { return false }
        let parts = text.split(separator: "-").compactMap { Int($0) }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let day = DateComponents(calendar: calendar, year: parts[0], month: parts[1], day: parts[2])
        return day.isValidDate
    }
}
