import DaylyClient

/// The screen that a phone shows over an app which is opened. Its choice is a pure function of the situation.
public struct FocusShield: Hashable, Sendable {
    public enum State: String, Sendable {
        case tutorial, session, intention, freeze, none
        case goalReached = "goal_reached"
    }

    public enum Button: String, Sendable {
        case dismiss, complete, stay, open
        case openApp = "open_app"
        case howToUnlock = "how_to_unlock"
    }

    public let state: State
    public var primary: Button?
    public var secondary: Button?
    /// The phone asks again before it takes the secondary button.
    public var isAskedTwice = false

    /// The running session, as far as the shield depends on it.
    public struct Session: Hashable, Sendable {
        public enum Mode: String, Sendable, CaseIterable {
            /// Every app is covered but the chosen ones.
            case allowList = "allow_list"
            /// The chosen apps are covered.
            case blockList = "block_list"
        }

        public var mode: Mode
        public var isGoalReached: Bool

        public init(mode: Mode, isGoalReached: Bool = false) {
            self.mode = mode
            self.isGoalReached = isGoalReached
        }

        func covers(isChosen: Bool) -> Bool { (mode == .blockList) == isChosen }
    }

    /// An intention about the app, as far as the shield depends on it.
    public struct Intention: Hashable, Sendable {
        public var isUsedUp: Bool
        public var isFrozen: Bool
        /// The app was opened a few minutes ago, and the time for it is not over.
        public var isWindowOpen: Bool

        public init(isUsedUp: Bool = false, isFrozen: Bool = false, isWindowOpen: Bool = false) {
            self.isUsedUp = isUsedUp
            self.isFrozen = isFrozen
            self.isWindowOpen = isWindowOpen
        }
    }

    private init(_ state: State, _ primary: Button? = nil, _ secondary: Button? = nil) {
        self.state = state
        self.primary = primary
        self.secondary = secondary
    }

    /// The shield over an app: of the states that apply the first holds.
    ///
    /// - Parameters:
    ///   - isTutorial: whether the tutorial runs, which covers all apps.
    ///   - session: the running session.
    ///   - isChosen: whether the user has chosen the app for the session's list.
    ///   - intention: the intention about the app.
    public init(
        isTutorial: Bool = false, session: Session? = nil, isChosen: Bool = false, intention: Intention? = nil
    ) {
        if isTutorial {
            self.init(.tutorial, .openApp)
        } else if let session, session.covers(isChosen: isChosen) {
            self =
                session.isGoalReached
                ? Self(.goalReached, .complete, .stay) : Self(.session, .dismiss, .howToUnlock)
        } else if let intention, !intention.isWindowOpen {
            self.init(intention.isFrozen ? .freeze : .intention, .dismiss, .open)
            isAskedTwice = intention.isUsedUp && !intention.isFrozen
        } else {
            self.init(.none)
        }
    }
}
