/// The states of a session. The raw values are those of the API.
package enum SessionState: String, CaseIterable, Sendable {
    case running, completed, canceled, lost
    case gaveUp = "gave_up"
}

/// The result of the end of a session.
package struct SessionEnd: Hashable, Sendable {
    package let state: SessionState
    /// XP, and as many coins.
    package let xp: Int
    /// The seconds beyond the goal.
    package let extraSeconds: Int

    /// An end within these seconds cancels the session, also in beast mode.
    package static let cancelSeconds = 10
    /// A session without an end is lost after these seconds.
    package static let lostSeconds = 604_800

    package init(state: SessionState, xp: Int, extraSeconds: Int) {
        self.state = state
        self.xp = xp
        self.extraSeconds = extraSeconds
    }

    /// nil if beast mode refuses the end.
    package init?(goalMinutes: Int, elapsedSeconds: Int, isBeastMode: Bool) {
        let extra = elapsedSeconds - 60 * goalMinutes
        if elapsedSeconds <= Self.cancelSeconds {
            self.init(state: .canceled, xp: 0, extraSeconds: 0)
        } else if extra >= 0 {
            self.init(state: .completed, xp: sessionXP(goalMinutes: goalMinutes), extraSeconds: extra)
        } else if isBeastMode {
            return nil
        } else {
            self.init(state: .gaveUp, xp: 0, extraSeconds: 0)
        }
    }
}

/// The XP of a completed session: by its goal, not by its extra time.
package func sessionXP(goalMinutes: Int) -> Int {
    switch goalMinutes {
    case ...15: 3
    case ...30: 5
    case ...45: 8
    case ...60: 10
    case ...90: 15
    default: 25
    }
}

/// The XP, and as many coins, that the tutorial pays.
package let tutorialXP = 5
