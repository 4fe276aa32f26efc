import FeatureKit
import FocusRules
import Foundation

enum FocusIntentionTag {}
typealias FocusIntentionID = ID<FocusIntentionTag>

/// An intention, as its row keeps it.
struct FocusIntentionState: Sendable, Equatable {
    let id: FocusIntentionID
    let label: String
    let minutes: Int
    var days: IntentionDays
}

/// The wishes of a user for an intention.
struct FocusIntentionDraft: Sendable, Equatable {
    let label: String
    let opens: Int
    let minutes: Int
}

/// A streak that a user has lost.
struct FocusBreak: Sendable, Equatable {
    let intention: FocusIntentionID
    let day: DayNumber
    /// The days that the streak had.
    let streak: Int
}

/// The intentions of a user during a sync, which takes the accepted events in their order and writes the changes at its end.
struct FocusIntentionEvents: Sendable {
    private(set) var intentions: [FocusIntentionState]
    private let before: [FocusIntentionState]
    private let frozenDays: Set<DayNumber>
    private(set) var breaks: [FocusBreak] = []

    init(_ intentions: [FocusIntentionState], frozenDays: Set<DayNumber>) {
        self.intentions = intentions
        self.frozenDays = frozenDays
        before = intentions
    }

    /// Takes an accepted event of any kind but `open`.
    ///
    /// - Parameter day: the local day that is stored with the event.
    mutating func take(day: DayNumber) {
        let frozen = frozenDays
        for index in intentions.indices {
            intentions[index].days.reach(day) { frozen.contains($0) }
        }
    }

    /// Takes an accepted `open`.
    ///
    /// - Returns: false if the user does not have the intention. Then nothing has changed: the event is rejected as
    ///   `unknown_intention` and does not count as one.
    mutating func open(_ id: UUID, day: DayNumber) -> Bool {
        guard let index = intentions.firstIndex(where: { $0.id.rawValue == id }) else { return false }
        take(day: day)
        let frozen = frozenDays
        if let streak = intentions[index].days.open(on: day, isFrozen: { frozen.contains($0) }) {
            let state = intentions[index]
            breaks.append(FocusBreak(intention: state.id, day: state.days.day, streak: streak))
        }
        return true
    }

    /// The intentions that are to be written.
    var changed: [FocusIntentionState] { zip(intentions, before).filter { $0 != $1 }.map(\.0) }
}
