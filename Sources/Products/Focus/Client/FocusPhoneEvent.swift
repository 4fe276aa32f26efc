import PhoneClient
import FocusAPI
import DaylyClient
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

extension FocusPhoneEvent: PhoneEvent {
    /// Locks have no hurry while no temptation waits for them.
    package var canWait: Bool { if case .lock = self { true } else { false } }

    package func check() throws(DaylyError) {
        if case .usage(let day, _, _) = self { try PhoneEventDay.check(day) }
    }

    package func message(seq: Int, at: Date, uptime: PhoneUptime?) -> FocusSyncEvent {
        FocusSyncEvent(self, seq: seq, at: at, uptime: uptime)
    }
}

extension FocusSyncEvent: PhoneEventMessage {
    /// The event as it goes over the wire.
    init(_ event: FocusPhoneEvent, seq: Int, at: Date, uptime: PhoneUptime?) {
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
