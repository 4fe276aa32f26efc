import FeatureKit
import FocusRules
import Foundation
import HTTPKit
import Postgres
import RateLimiting

/// The phones of a user: registration, set-up, health and removal.
struct FocusDeviceService: Sendable {
    let postgres: PostgresClient
    let members: FocusMemberStore
    let streaks: FocusStreakKeeper
    let settings: FocusSettings
    let rates: RateLimits

    /// The phones by number, and the time of the answer.
    func list(for user: UserID) async throws -> (devices: [FocusDeviceState], now: Instant) {
        try await postgres.transaction { tx in
            let member = try members.require(tx, user)
            return (try FocusDeviceStore.all(tx, of: user), member.now)
        }
    }

    /// - Throws: `FocusError.notFound`.
    func get(_ id: UUID, for user: UserID) async throws -> (device: FocusDeviceState, now: Instant) {
        try await postgres.transaction { tx in
            let member = try members.require(tx, user)
            return (try require(tx, id, of: user), member.now)
        }
    }

    /// Registers a phone, or takes its report about itself.
    ///
    /// - Throws: `FocusError.deviceLimitReached`; 400 for another platform than the phone's; `RateLimited`.
    func put(
        _ id: UUID, _ change: FocusDeviceChange, for user: UserID
    ) async throws -> (device: FocusDeviceState, now: Instant) {
        try await postgres.transaction { tx in
            let member = try members.requireLocked(tx, user)
            let known = try FocusDeviceStore.all(tx, of: user)
            let before = try known.first { $0.id == id } ?? register(tx, id, change.platform, of: user)
            guard before.platform == change.platform else {
                throw Problem.invalidRequest(
                    pointer: "/platform", detail: "A phone's platform cannot change.")
            }
            let device = change.applied(to: before, at: member.now)
            if device != before { try FocusDeviceStore.update(tx, device, of: user) }
            let others = known.filter { $0.id != id }
            try signal(tx, from: others + (known.filter { $0.id == id }), to: others + [device], of: member)
            return (device, member.now)
        }
    }

    /// The row of a deleted phone stays for as long as its events, and each fold reads it, so a user may not replace phones without end.
    private func register(
        _ tx: PostgresTransaction, _ id: UUID, _ platform: FocusDeviceState.Platform, of user: UserID
    ) throws -> FocusDeviceState {
        let device = try FocusDeviceStore.insert(tx, id, platform, of: user, limit: settings.devices)
        let limit = RateLimit(
            scope: "focus.device.day", subject: user.rawValue.uuidString, limit: max(5, settings.devices),
            per: .seconds(86_400))
        try rates.check(tx, [limit])
        return device
    }

    /// Lets clients know that phones have changed. Boards show nothing of phones but the tracking status.
    private func signal(
        _ tx: PostgresTransaction, from before: [FocusDeviceState], to after: [FocusDeviceState],
        of member: FocusMember
    ) throws {
        guard before != after else { return }
        FocusHints().nowChanged(tx, of: member.user)
        let statuses = [before, after].map { trackingStatus(of: $0.map(\.health.status)) }
        if statuses[0] != statuses[1] { try FocusHints().boardsChanged(tx, of: member, weeks: []) }
    }

    /// Removes the phone. Its scores stay, and its events until they are too old.
    func delete(_ id: UUID, for user: UserID) async throws {
        try await streaks.partitions.retrying {
            try await postgres.transaction { tx in
                let member = try members.requireLocked(tx, user)
                let known = try FocusDeviceStore.all(tx, of: user)
                guard let device = known.first(where: { $0.id == id })?.deleted(at: member.now) else {
                    return
                }
                try FocusDeviceStore.update(tx, device, of: user)
                try streaks.delete(tx, device, of: user)
                try signal(tx, from: known, to: known.filter { $0.id != id }, of: member)
            }
        }
    }

    /// Opens the window in which an unlock verifies the phone. A repeated call opens none, and gets the last one.
    ///
    /// - Returns: the beginning of the window.
    /// - Throws: `FocusError.notFound`; 400 on Android, which needs no window; `RateLimited`.
    func openWindow(_ id: UUID, for user: UserID, by call: RepeatableCall?) async throws -> Creation<Instant>
    {
        try await postgres.transaction { tx in
            let member = try members.requireLocked(tx, user)
            let device = try require(tx, id, of: user)
            guard device.platform == .ios else {
                throw Problem.invalidRequest("Phones with Android are verified by their permissions.")
            }
            return try IdempotencyKeyStore.once(tx, call, of: user, id: ID<FocusDeviceState>(id)) { _ in
                try rates.check(tx, [Self.verificationLimit(of: user)])
                try FocusDeviceStore.update(tx, device.awaitingVerification(at: member.now), of: user)
                return member.now
            } find: { _ in
                device.lastWindowAt ?? member.now
            }
        }
    }

    /// - Throws: `FocusError.notFound`.
    func require(_ tx: PostgresTransaction, _ id: UUID, of user: UserID) throws -> FocusDeviceState {
        guard let device = try FocusDeviceStore.find(tx, id, of: user) else { throw FocusError.notFound }
        return device
    }

    private static func verificationLimit(of user: UserID) -> RateLimit {
        RateLimit(
            scope: "focus.verification.hour", subject: user.rawValue.uuidString, limit: 10,
            per: .seconds(3_600))
    }
}
