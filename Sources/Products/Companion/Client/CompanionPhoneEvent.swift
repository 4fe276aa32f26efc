import PhoneClient
import CompanionAPI
import DaylyClient
import DaylyAPI
import Foundation

/// Something that happens on the user's phone and that Companion counts.
public enum CompanionPhoneEvent: Sendable, Equatable {
    /// The user opened the shielded apps anyway.
    case bypass
    /// The phone shut them again before the cooldown was over.
    case reshield
    /// The user opened this app.
    case open
    /// The minutes of use of a day of Companion so far. A final report is the last one about the day.
    case usage(day: String, minutes: Int, isFinal: Bool = false)
}

extension CompanionPhoneEvent: PhoneEvent {
    package var canWait: Bool { false }

    package func check() throws(DaylyError) {
        if case .usage(let day, _, _) = self { try PhoneEventDay.check(day) }
    }

    package func message(seq: Int, at: Date, uptime: PhoneUptime?) -> CompanionSyncEvent {
        var event = CompanionSyncEvent(
            seq: seq, kind: kind, at: at, bootID: uptime?.bootID, uptime: uptime?.seconds)
        if case .usage(let day, let minutes, let isFinal) = self {
            event.day = day
            event.minutes = min(max(minutes, 0), 3_600)
            if isFinal { event.final = true }
        }
        return event
    }

    private var kind: String {
        switch self {
        case .bypass: "bypass"
        case .reshield: "reshield"
        case .open: "open"
        case .usage: "usage"
        }
    }
}

extension CompanionSyncEvent: PhoneEventMessage {}
