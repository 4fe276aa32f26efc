import CompanionRules
import FeatureKit
import Postgres
import RateLimiting

/// Joining, settings and leaving.
struct CompanionSettingsService: Sendable {
    /// The version of the consent text.
    static let consent = "1"

    let postgres: PostgresClient
    let accounts: CompanionAccounts
    let rates: RateLimits

    init(postgres: PostgresClient, accounts: CompanionAccounts, rates: RateLimits) {
        self.postgres = postgres
        self.accounts = accounts
        self.rates = rates
    }

    /// - Throws: `CompanionError.notJoined`.
    func get(_ user: UserID) async throws -> CompanionSettingsState {
        try await accounts.read(user) { tx, owner in
            CompanionSettingsState(consent: try CompanionSettingsStore.consent(tx, of: user), owner: owner)
        }
    }

    /// Joins, or replaces the settings.
    ///
    /// - Throws: `RateLimited` after ten joinings in a day: each leaving is a record in the journal of erasures.
    func put(_ change: CompanionSettingsChange, by user: UserID) async throws -> CompanionSettingsState {
        try await postgres.transaction { tx in
            let before = try join(tx, user, change) ? nil : try accounts.requireLocked(tx, user)
            if let before { try replace(tx, before, change) }
            let owner = try accounts.requireLocked(tx, user)
            if owner != before { CompanionHints.dayChanged(tx, of: user) }
            return CompanionSettingsState(consent: change.consent, owner: owner)
        }
    }

    /// Leaves: nothing of Companion is kept about the user. It does nothing for whoever has not joined.
    func leave(_ user: UserID) async throws {
        try await postgres.transaction { tx in
            guard try erase(tx, user) else { return }
            CompanionHints.dayChanged(tx, of: user)
            CompanionHints.petChanged(tx, of: user)
            CompanionHints.walletChanged(tx, of: user)
        }
    }

    /// Erases everything, in the transaction that also deletes the account or leaves alone.
    ///
    /// - Returns: false for whoever has not joined.
    @discardableResult
    func erase(_ tx: PostgresTransaction, _ user: UserID) throws -> Bool {
        guard try accounts.lockAsIs(tx, user) else { return false }
        try CompanionSettingsStore.delete(tx, user)
        return true
    }

    /// - Returns: false if the user has joined already.
    private func join(
        _ tx: PostgresTransaction, _ user: UserID, _ change: CompanionSettingsChange
    ) throws -> Bool {
        guard try !accounts.lockAsIs(tx, user), let joiner = try CompanionSettingsStore.joiner(tx, user)
        else {
            return false
        }
        let key = CompanionDayKey(zone: joiner.zone, day: joiner.today, endsAt: joiner.now)
        let first = RunningDay(day: joiner.today, beganAt: joiner.now, isFirst: true)
        guard let midnights = try CompanionMidnightStore.find(tx, [key])[key],
            let end = first.end(among: midnights.candidates(after: joiner.now))
        else { throw PostgresError.decoding("a first day has no end") }
        guard try CompanionSettingsStore.insert(tx, user, change, joiner, firstEnd: end) else { return false }
        try rates.check(tx, [Self.joiningLimit(of: user)])
        let day = CompanionDayState(
            day: joiner.today, times: DayTimes(beginsAt: joiner.now, endsAt: end),
            limitMinutes: change.limitMinutes)
        try CompanionDayStore.insert(tx, [(user: user, state: day)])
        return true
    }

    private static func joiningLimit(of user: UserID) -> RateLimit {
        RateLimit(
            scope: "companion.joining.day", subject: user.rawValue.uuidString, limit: 10,
            per: .seconds(86_400))
    }

    private func replace(
        _ tx: PostgresTransaction, _ owner: CompanionOwner, _ change: CompanionSettingsChange
    ) throws {
        var limit = owner.limit
        limit.set(change.limitMinutes)
        try CompanionSettingsStore.update(tx, owner.user, change, limit: limit)
        guard limit.today != owner.limit.today else { return }
        guard var day = try CompanionDayStore.find(tx, owner.day, of: owner.user) else { return }
        day.figures.limitMinutes = limit.today
        try CompanionDayStore.write(tx, [day], of: owner.user)
    }
}
