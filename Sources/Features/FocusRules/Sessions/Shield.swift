/// The screen that a phone shows over an app which is opened. Phones compute it without the service; this is the pattern
/// that they follow.
package struct Shield: Hashable, Sendable {
    package enum State: String, Sendable {
        case tutorial, session, intention, freeze, none
        case goalReached = "goal_reached"
    }

    package enum Button: String, Sendable {
        case dismiss, complete, stay, open
        case openApp = "open_app"
        case howToUnlock = "how_to_unlock"
    }

    package let state: State
    package var primary: Button?
    package var secondary: Button?
    /// The phone asks again before it takes the secondary button.
    package var isAskedTwice = false

    static let none = Shield(state: .none)
}

/// A running session, as far as the shield depends on it.
package struct ShieldSession: Hashable, Sendable {
    package enum Mode: String, CaseIterable, Sendable {
        case allowList = "allow_list"
        case blockList = "block_list"
    }

    package var mode: Mode
    package var isGoalReached: Bool

    package init(mode: Mode, isGoalReached: Bool = false) {
        self.mode = mode
        self.isGoalReached = isGoalReached
    }

    func covers(isChosen: Bool) -> Bool { (mode == .blockList) == isChosen }
}

/// An intention about the app, as far as the shield depends on it.
package struct ShieldIntention: Hashable, Sendable {
    package var isUsedUp: Bool
    package var isFrozen: Bool
    /// The app was opened a few minutes ago, and the time for it is not over.
    package var isWindowOpen: Bool

    package init(isUsedUp: Bool = false, isFrozen: Bool = false, isWindowOpen: Bool = false) {
        self.isUsedUp = isUsedUp
        self.isFrozen = isFrozen
        self.isWindowOpen = isWindowOpen
    }
}

extension Shield {
    /// The shield over an app: of the states that apply the first holds.
    /// - Parameter isChosen: the user has chosen the app for the session's list.
    package init(isTutorial: Bool, session: ShieldSession?, isChosen: Bool, intention: ShieldIntention?) {
        if isTutorial {
            self.init(state: .tutorial, primary: .openApp)
        } else if let session, session.covers(isChosen: isChosen) {
            self =
                session.isGoalReached
                ? Shield(state: .goalReached, primary: .complete, secondary: .stay)
                : Shield(state: .session, primary: .dismiss, secondary: .howToUnlock)
        } else if let intention, !intention.isWindowOpen {
            self.init(
                state: intention.isFrozen ? .freeze : .intention, primary: .dismiss, secondary: .open,
                isAskedTwice: intention.isUsedUp && !intention.isFrozen)
        } else {
            self = .none
        }
    }
}
