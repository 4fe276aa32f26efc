import FocusAPI
import DaylyAPI
import FeatureKit
import FocusRules
import Postgres

/// The parts of `GET /now` that other rooms know.
struct FocusNowParts: Sendable {
    var session: FocusSession?
    /// Whether the user may take this week's freeze.
    var canFreeze = false
    var isFrozenToday = false
    var xp = 0
    var coins = 0
    /// `offered`, `done` or `none`.
    var tutorial = "none"

    /// Reads the parts. The front door of Focus sets it.
    typealias Reading = @Sendable (PostgresTransaction, FocusMember) throws -> FocusNowParts
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
    let parts: FocusNowParts.Reading
    private let users = FocusUserStore()

    init(postgres: PostgresClient, settings: FocusSettings, parts: @escaping FocusNowParts.Reading) {
        self.postgres = postgres
        self.settings = settings
        self.parts = parts
    }

    /// - Throws: `FocusError.notJoined`.
    func require(_ user: UserID) async throws -> FocusNowState {
        try await postgres.transaction { tx in
            var state = try users.require(tx, user)
            let none = state.history.fold([], hold: settings.shortcutHold, now: state.member.now)
            let figures = try FocusFigures(
                tx, FocusDayStore(), of: state.member, folded: none, counted: settings.countedStreaks)
            return try self.state(tx, state, figures)
        }
    }

    func state(
        _ tx: PostgresTransaction, _ user: FocusUserState, _ figures: FocusFigures
    ) throws -> FocusNowState {
        FocusNowState(
            member: user.member, status: user.status, streak: user.history.running(at: user.member.now),
            today: figures.today, week: figures.currentWeek, usage: user.usage, tier: user.tier,
            parts: try parts(tx, user.member))
    }
}
