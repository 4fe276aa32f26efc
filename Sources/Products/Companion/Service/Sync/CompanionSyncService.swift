import CompanionRules
import DeviceIntake
import FeatureKit
import Foundation
import Postgres
import RateLimiting

/// The effects of a sync.
struct CompanionSyncResult: Sendable {
    /// The greatest `seq` of the phone that was dealt with.
    let acknowledged: Int
    let rejected: [CompanionIntake.Rejection]
    let acceptedCount: Int
    let owner: CompanionOwner
    /// The running day.
    let day: CompanionDayState
    let openUntil: Instant?
}

/// Takes the events of a phone. One sync is one transaction; the syncs of an account wait for each other.
struct CompanionSyncService: Sendable {
    private static let limits: [(scope: RateScope, limit: Int, window: Duration)] = [
        ("companion.sync.minute", 30, .seconds(60)), ("companion.sync.day", 500, .seconds(86_400)),
    ]

    let postgres: PostgresClient
    let accounts: CompanionAccounts
    let closing: CompanionDayClosing
    let rates: RateLimits

    init(
        postgres: PostgresClient, accounts: CompanionAccounts, closing: CompanionDayClosing, rates: RateLimits
    ) {
        self.postgres = postgres
        self.accounts = accounts
        self.closing = closing
        self.rates = rates
    }

    /// - Throws: `CompanionError.notJoined`, `.deviceLimitReached`; `RateLimited`.
    func sync(_ request: CompanionSyncRequest, by user: UserID) async throws -> CompanionSyncResult {
        do {
            let result = try await postgres.transaction { tx -> CompanionSyncResult? in
                do {
                    return try sync(tx, request, by: user)
                } catch CompanionError.deviceLimitReached {
                    // Nothing is written but the count of syncs, which stays.
                    return nil
                }
            }
            guard let result else { throw CompanionError.deviceLimitReached }
            CompanionSyncMetrics.count(result)
            return result
        } catch {
            CompanionSyncMetrics.count(error)
            throw error
        }
    }

    private func sync(
        _ tx: PostgresTransaction, _ request: CompanionSyncRequest, by user: UserID
    ) throws -> CompanionSyncResult {
        let owner = try accounts.requireLocked(tx, user)
        try rates.check(
            tx,
            Self.limits.map {
                RateLimit(scope: $0.scope, subject: user.companionText, limit: $0.limit, per: $0.window)
            })
        var intake = try intake(tx, request, of: owner)
        try intake.take(tx, request.report.events)
        try write(tx, intake)
        guard let day = intake.days.days.last else { throw CompanionError.notJoined }
        return CompanionSyncResult(
            acknowledged: intake.device.intake.acknowledged, rejected: intake.rejected,
            acceptedCount: intake.acceptedCount, owner: owner, day: day,
            openUntil: try CompanionBypassStore.openUntil(tx, of: owner))
    }

    private func intake(
        _ tx: PostgresTransaction, _ request: CompanionSyncRequest, of owner: CompanionOwner
    ) throws -> CompanionIntake {
        let first = owner.day - CompanionDayBook.loadedNames
        return CompanionIntake(
            request, of: owner, limits: .companion(enforced: rates.enforced), closing: closing,
            device: try findOrRegister(tx, request.device, of: owner),
            days: CompanionDayBook(
                joinedAt: owner.joinedAt, days: try CompanionDayStore.list(tx, from: first, of: owner.user)),
            lastBypass: try CompanionBypassStore.last(tx, of: request.device, of: owner.user, from: first))
    }

    private func findOrRegister(
        _ tx: PostgresTransaction, _ id: UUID, of owner: CompanionOwner
    ) throws -> CompanionDeviceState {
        if var device = try CompanionDeviceStore.find(tx, id, of: owner.user) {
            device.syncedAt = owner.now
            return device
        }
        guard try CompanionDeviceStore.count(tx, of: owner.user) < CompanionDeviceService.limit else {
            throw CompanionError.deviceLimitReached
        }
        return CompanionDeviceState(id: id, syncedAt: owner.now)
    }

    private func write(_ tx: PostgresTransaction, _ intake: CompanionIntake) throws {
        let owner = intake.owner
        try CompanionDayStore.write(tx, intake.days.changed, of: owner.user)
        try CompanionDayStore.closeNightly(tx, intake.days.begunAfterNightly(by: owner.now), of: owner.user)
        try CompanionBypassStore.insert(tx, intake.bypasses.added, by: intake.device.id, of: owner.user)
        if let changed = intake.bypasses.changed {
            try CompanionBypassStore.close(tx, changed, of: owner.user)
        }
        try CompanionDeviceStore.write(tx, intake.device, of: owner.user)
        if intake.hasChangedDays { CompanionHints.dayChanged(tx, of: owner.user) }
    }
}
