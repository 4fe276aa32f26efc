import FeatureKit
import FocusRules
import Foundation

enum FocusSessionTag {}
typealias FocusSessionID = ID<FocusSessionTag>

/// A session, as its row keeps it.
struct FocusSessionState: Sendable, Equatable {
    let id: FocusSessionID
    let name: String?
    let emoji: String?
    let goalMinutes: Int
    let mode: FocusMode
    let isBeastMode: Bool
    /// The schedule that began it, with its date; nil for a session that was started by hand.
    let schedule: FocusScheduledDate?
    let startedAt: Instant
    var end: FocusSessionOutcome?

    var state: SessionState { end?.state ?? .running }
    var goalEndsAt: Instant { startedAt + 60 * goalMinutes }
    var elapsedSeconds: Int? { end?.at.map { $0 - startedAt } }

    /// The seconds beyond the goal of a session that has ended.
    var extraSeconds: Int? {
        elapsedSeconds.map { state == .completed ? $0 - 60 * goalMinutes : 0 }
    }
}

/// The end of a session.
struct FocusSessionOutcome: Sendable, Equatable {
    let state: SessionState
    /// nil: the session is lost.
    let at: Instant?
    /// The local day of the end.
    let day: DayNumber?
    /// XP, and as many coins.
    let xp: Int
}

/// A date of a schedule.
struct FocusScheduledDate: Sendable, Equatable {
    let id: FocusScheduleID
    let date: DayNumber
}

/// The last session of a page of the list.
struct FocusSessionPlace: Sendable {
    let startedAt: Instant
    let id: FocusSessionID

    init(_ session: FocusSessionState) { (startedAt, id) = (session.startedAt, session.id) }

    /// - Throws: `FocusError.cursorExpired`.
    init(_ parts: [String]) throws(FocusError) {
        guard parts.count == 2, let startedAt = Instant(parts[0]), let id = UUID(uuidString: parts[1]) else {
            throw .cursorExpired
        }
        (self.startedAt, self.id) = (startedAt, FocusSessionID(id))
    }

    var parts: [String] { ["\(startedAt)", id.rawValue.uuidString] }
}
