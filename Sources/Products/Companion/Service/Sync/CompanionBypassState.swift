import CompanionRules
import Foundation

/// An accepted bypass, with the window that it opened.
struct CompanionBypassState: Sendable, Equatable {
    let day: DayNumber
    /// 1, 2, … in the order in which the day's bypasses were accepted.
    let number: Int
    let at: Instant
    /// nil: the bypass brought the hp to 0.
    var window: BypassWindow?
}

/// The windows of the phone that sends.
struct CompanionBypassBook: Sendable {
    /// The phone's last bypass with a window, as it was before the sync.
    private let stored: CompanionBypassState?
    /// The same, as it is now; nil once another window was opened.
    private var last: CompanionBypassState?
    /// The bypasses of the sync.
    private(set) var added: [CompanionBypassState] = []

    init(last: CompanionBypassState?) {
        stored = last
        self.last = last
    }

    /// The stored bypass whose window has changed.
    var changed: CompanionBypassState? { last == stored ? nil : last }

    var lastWindow: BypassWindow? {
        added.last { $0.window != nil }?.window ?? last?.window
    }

    mutating func add(_ bypass: CompanionBypassState) { added.append(bypass) }

    mutating func setLastWindow(_ window: BypassWindow) {
        if let place = added.lastIndex(where: { $0.window != nil }) {
            added[place].window = window
        } else {
            last?.window = window
        }
    }
}
