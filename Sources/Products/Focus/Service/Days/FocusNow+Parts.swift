import FocusAPI
import DaylyAPI
import FeatureKit
import FocusRules
import Postgres

/// The parts of `GET /now` that follow from what the user does on purpose.
struct FocusNowParts: Sendable {
    let session: FocusSession?
    /// Whether the user may take this week's freeze.
    let canFreeze: Bool
    let isFrozenToday: Bool
    let xp: Int
    let coins: Int
    let tutorial: FocusTutorial.Progress

    init(_ tx: PostgresTransaction, of member: FocusMember, _ tutorial: FocusTutorial) throws {
        let acts = try FocusActStore.state(tx, of: member)
        session = acts.session.map(FocusSession.init)
        canFreeze = member.isPro && acts.frozenDay == nil
        isFrozenToday = acts.frozenDay == member.today
        (xp, coins) = (acts.totals.xp, acts.totals.coins)
        self.tutorial = tutorial.progress(of: member.user, isPaid: acts.hasTutorial)
    }
}

/// The answer of `GET /now`.
struct FocusNowState: Sendable {
    let member: FocusMember
    let status: DeviceStatus
    let streak: RunningStreak?
    let today: FocusDayState
    let week: DayFigures
    let usage: FocusUsageState
    let tier: Tier
    let parts: FocusNowParts
}

/// Reads the state of `GET /now`.
struct FocusNowReader: Sendable {
    let postgres: PostgresClient
    let settings: FocusSettings
    let tutorial: FocusTutorial

    init(postgres: PostgresClient, settings: FocusSettings, tutorial: FocusTutorial) {
        self.postgres = postgres
        self.settings = settings
        self.tutorial = tutorial
    }

    /// - Throws: `FocusError.notJoined`.
    func require(_ user: UserID) async throws -> FocusNowState {
        try await postgres.transaction { tx in
            var state = try FocusUserStore.require(tx, user)
            let none = state.history.fold([], hold: settings.shortcutHold, now: state.member.now)
            let figures = try FocusFigures(
                tx, of: state.member, folded: none, counted: settings.countedStreaks)
            return try self.state(tx, state, figures)
        }
    }

    func state(
        _ tx: PostgresTransaction, _ user: FocusUserState, _ figures: FocusFigures
    ) throws -> FocusNowState {
        FocusNowState(
            member: user.member, status: user.status, streak: user.history.running(at: user.member.now),
            today: figures.today, week: figures.currentWeek, usage: user.usage, tier: user.tier,
            parts: try FocusNowParts(tx, of: user.member, tutorial))
    }
}
