import FocusAPI
import DaylyClient
import DaylyAPI
import Foundation

/// Sessions, schedules, intentions, and what they earn. Calls that make something take a key: the same key and request
/// again give the same thing, so that an app can repeat a call whose answer was lost.
extension FocusRepository {
    /// The user's sessions, newest first, 50 at a time.
    public func sessions(after cursor: String? = nil) async throws(DaylyError) -> FocusSessionList {
        try await calls.get(.listFocusSessions, query: [("cursor", cursor)])
    }

    public func session(
        _ id: ResourceID, unless version: EntityVersion? = nil
    ) async throws(DaylyError) -> Fetched<FocusSession> {
        try await calls.getIfChanged(.getFocusSession, path: [id.description], unless: version)
    }

    /// Starts a session, or reports one that was held offline, with its own times and the clock's `clientTime`.
    ///
    /// - Throws: `session_active`, `schedule_already_started`, `pro_required`, `beast_mode`.
    public func start(
        _ session: FocusNewSession, key: UUID = UUID()
    ) async throws(DaylyError) -> FocusSession {
        try await calls.get(.startFocusSession, json: session, headers: .key(key))
    }

    /// Ends a session now, or at the moment that it names.
    ///
    /// - Throws: `beast_mode`; its document's `endsAt` says when the session may end.
    public func end(
        _ session: ResourceID, _ end: FocusSessionEnd = FocusSessionEnd()
    ) async throws(DaylyError) -> FocusSession {
        try await calls.get(.endFocusSession, path: [session.description], json: end)
    }

    /// The completed sessions of the last 30 days, and the record.
    public func stats(unless version: EntityVersion? = nil) async throws(DaylyError) -> Fetched<FocusStats> {
        try await calls.getIfChanged(.getFocusStats, unless: version)
    }

    // MARK: Schedules

    /// The schedules, oldest first.
    public func schedules(
        unless version: EntityVersion? = nil
    ) async throws(DaylyError) -> Fetched<[FocusSchedule]> {
        let list: Fetched<FocusScheduleList> = try await calls.getIfChanged(
            .listFocusSchedules, unless: version)
        return list.map(\.schedules)
    }

    /// - Throws: `schedule_limit_reached`, `schedule_overlap`, `pro_required`.
    public func add(
        _ schedule: FocusScheduleSettings, key: UUID = UUID()
    ) async throws(DaylyError) -> FocusSchedule {
        try await calls.get(.createFocusSchedule, json: schedule, headers: .key(key))
    }

    /// - Throws: `schedule_overlap`, `pro_required`.
    public func change(
        schedule id: ResourceID, to settings: FocusScheduleSettings
    ) async throws(DaylyError) -> FocusSchedule {
        try await calls.get(.replaceFocusSchedule, path: [id.description], json: settings)
    }

    public func remove(schedule id: ResourceID) async throws(DaylyError) {
        try await calls.perform(.deleteFocusSchedule, path: [id.description])
    }

    // MARK: Intentions

    /// The intentions, oldest first.
    public func intentions(
        unless version: EntityVersion? = nil
    ) async throws(DaylyError) -> Fetched<[FocusIntention]> {
        let list: Fetched<FocusIntentionList> = try await calls.getIfChanged(
            .listFocusIntentions, unless: version)
        return list.map(\.intentions)
    }

    /// - Throws: `intention_limit_reached`.
    public func add(
        _ intention: FocusIntentionSettings, key: UUID = UUID()
    ) async throws(DaylyError) -> FocusIntention {
        try await calls.get(.createFocusIntention, json: intention, headers: .key(key))
    }

    /// Changes an intention. More opens than today's are allowed from tomorrow on.
    public func change(
        intention id: ResourceID, to settings: FocusIntentionSettings
    ) async throws(DaylyError) -> FocusIntention {
        try await calls.get(.replaceFocusIntention, path: [id.description], json: settings)
    }

    public func remove(intention id: ResourceID) async throws(DaylyError) {
        try await calls.perform(.deleteFocusIntention, path: [id.description])
    }

    /// Keeps the streaks of all intentions today, once a week.
    ///
    /// - Throws: `pro_required`, `freeze_unavailable`.
    public func freeze(key: UUID = UUID()) async throws(DaylyError) -> FocusFrozenDay {
        try await calls.get(.freezeFocusDay, headers: .key(key))
    }

    // MARK: Earnings

    /// Pays for the tutorial, once. The answer has the totals.
    public func finishTutorial() async throws(DaylyError) -> FocusEarnings {
        try await calls.get(.finishFocusTutorial)
    }

    /// Claims a purchase by the signed transaction that StoreKit gives. The purchase must carry the profile's
    /// `appAccountToken`.
    ///
    /// - Throws: `invalid_receipt`, `purchase_claimed`.
    public func claim(signedTransaction: String) async throws(DaylyError) -> FocusPro {
        try await calls.get(.redeemFocusPro, json: FocusPurchase(signedTransaction: signedTransaction))
    }
}
