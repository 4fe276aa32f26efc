import FeatureKit
import Foundation
import HTTPKit
import Postgres
import RateLimiting

extension RateScope {
    static let exportUserHour: RateScope = "export.user.hour"
}

/// A change of a user's own profile. Members that are nil stay as they are.
struct ProfileChange: Sendable {
    let firstName: DisplayName?
    let timeZone: String?
    let discoverable: Bool?
    let quiet: QuietChange
}

extension AuthService {
    /// The least time between two changes of the time zone, in seconds. Otherwise a user could change zones to get more
    /// than one local day within a day.
    private static let timeZonePause: TimeInterval = 86_400

    func update(_ id: UserID, _ change: ProfileChange) async throws -> UserProfile {
        let wantedZone = try await requireTimeZone(change.timeZone)
        return try await postgres.transaction { tx in
            let user = try users.requireLocked(tx, id)
            // Setting the same zone again is not a change.
            let timeZone = wantedZone == user.timeZone ? nil : wantedZone
            if timeZone != nil {
                let (last, now) = try users.timeZoneChange(tx, id)
                let retryAt = (last ?? .distantPast).addingTimeInterval(Self.timeZonePause)
                guard retryAt <= now else { throw AuthError.timeZoneChangedRecently(retryAt: retryAt) }
                for hook in onZoneChange { try hook.before(tx, id) }
            }
            let changed = try users.update(
                tx, id, firstName: change.firstName, timeZone: timeZone, discoverable: change.discoverable,
                quiet: change.quiet)
            if changed.firstName != user.firstName {
                for hook in onRename { try hook(tx, id) }
            }
            if timeZone != nil {
                for hook in onZoneChange { try hook.after(tx, id) }
            }
            return changed
        }
    }

    /// Deletes the account and all its data. Rate counters of the number stay, under an HMAC, until their windows end.
    /// Otherwise a user could get any number of text messages by deleting the account and signing in again.
    func delete(_ id: UserID) async throws {
        try await postgres.transaction { tx in
            try users.lockVerifications(tx, of: id)
            try delete(tx, id)
        }
    }

    /// - Returns: false when the account was used or deleted meanwhile.
    func delete(_ id: UserID, ifDormantSince limit: DormancyLimit) async throws -> Bool {
        try await postgres.transaction { tx in
            try users.lockVerifications(tx, of: id)
            guard try users.isDormant(tx, id, since: limit) else { return false }
            try delete(tx, id)
            return true
        }
    }

    /// The transaction has locked the verifications.
    private func delete(_ tx: PostgresTransaction, _ id: UserID) throws {
        let user = try users.requireLocked(tx, id)
        for hook in onErase { try hook(tx, id) }
        try firewall.store.deleteAddresses(tx, of: limits.digests(user.phoneNumber.rawValue))
        try users.delete(tx, user)
    }

    /// All data that the service keeps about a user, read in one transaction.
    ///
    /// - Throws: `RateLimited`.
    func export(_ id: UserID) async throws -> JSONValue {
        let limit = RateLimit(
            scope: .exportUserHour, subject: id.rawValue.uuidString, limit: 20, per: .seconds(3_600))
        return try await postgres.transaction { tx in
            try limits.check(tx, [limit])
            var members: [String: JSONValue] = ["exported_at": .date(try tx.now())]
            for export in [ownExport] + exports {
                members.merge(try export(tx, id)) { _, new in new }
            }
            return .object(members)
        }
    }

    /// The name under which a zone is stored.
    func requireTimeZone(_ name: String?) async throws -> String? {
        guard let name else { return nil }
        guard let stored = try await timeZones.storedName(of: name) else {
            throw AuthError.invalid(
                pointer: "/time_zone", rule: "must be the name of a time zone, such as Europe/Berlin")
        }
        return stored
    }
}
