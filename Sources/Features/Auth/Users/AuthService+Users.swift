import FeatureKit
import Foundation
import HTTPKit
import Postgres
import RateLimiting

/// What a user wants changed about themselves; nil stays.
struct ProfileChange: Sendable {
    let firstName: DisplayName?
    let timeZone: String?
    let discoverable: Bool?
    let quiet: QuietChange
}

extension AuthService {
    /// How long a time zone stands, so that travelling between zones cannot be made a habit within a day.
    private static let timeZonePause: TimeInterval = 86_400

    func user(_ id: UserID) async throws -> UserProfile {
        try await UserStore(postgres: postgres).require(id)
    }

    func update(_ id: UserID, _ change: ProfileChange) async throws -> UserProfile {
        if let timeZone = change.timeZone { try await requireTimeZone(timeZone) }
        return try await postgres.transaction { tx in
            let user = try UserStore.lockUser(tx, id)
            // The same zone again is no change.
            let timeZone = change.timeZone == user.timeZone ? nil : change.timeZone
            if timeZone != nil {
                let (last, now) = try UserStore.timeZoneChange(tx, id)
                let retryAt = (last ?? .distantPast).addingTimeInterval(Self.timeZonePause)
                guard retryAt <= now else { throw AuthError.timeZoneChangedRecently(retryAt: retryAt) }
            }
            let changed = try UserStore.update(
                tx, id, firstName: change.firstName, timeZone: timeZone, discoverable: change.discoverable,
                quiet: change.quiet)
            if changed.firstName != user.firstName {
                for hook in onRename { try hook(tx, id) }
            }
            return changed
        }
    }

    /// Deletes the account and what belongs to it. What was counted against the number stays until its window ends,
    /// as an HMAC: else deleting and signing in again would buy any number of text messages.
    func delete(_ id: UserID) async throws {
        try await postgres.transaction { tx in try delete(tx, id) }
    }

    /// - Returns: false for an account that was used meanwhile, or is gone.
    func delete(_ id: UserID, ifDormantSince limit: DormancyLimit) async throws -> Bool {
        try await postgres.transaction { tx in
            guard try UserStore.isDormant(tx, id, since: limit) else { return false }
            try delete(tx, id)
            return true
        }
    }

    private func delete(_ tx: PostgresTransaction, _ id: UserID) throws {
        let user = try UserStore.lockUser(tx, id)
        for hook in onDelete { try hook(tx, id) }
        try FirewallStore.forgetAddresses(tx, of: limits.digests(user.phoneNumber.rawValue))
        try UserStore.delete(tx, user)
    }

    /// All that is kept about a user, as one transaction reads it.
    ///
    /// - Throws: `RateLimited`.
    func export(_ id: UserID) async throws -> JSONValue {
        let limit = RateLimit(
            scope: "export.user.hour", subject: id.rawValue.uuidString, limit: 20, per: .seconds(3_600))
        return try await postgres.transaction { tx in
            try limits.check(tx, [limit])
            guard let now = try tx.first("SELECT now() AS now")?.get("now", as: Date.self) else {
                throw AuthError.userGone
            }
            var members: [String: JSONValue] = ["exported_at": .date(now)]
            for export in [UserStore.export] + exports {
                members.merge(try export(tx, id)) { _, new in new }
            }
            return .object(members)
        }
    }

    func requireTimeZone(_ name: String) async throws {
        guard try await timeZones.contains(name) else {
            throw AuthError.invalid(
                pointer: "/time_zone", rule: "must be the name of a time zone, such as Europe/Berlin")
        }
    }
}
