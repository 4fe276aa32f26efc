import FeatureKit
import Foundation
import Postgres

/// A signed-in client, as the list of sessions shows it.
struct Session: Sendable {
    let id: SessionID
    let deviceName: String?
    let createdAt: Date
    let lastUsedAt: Date

    init(_ row: PostgresRow) throws {
        id = try row.get("id")
        deviceName = try row.get("device_name")
        createdAt = try row.get("created_at")
        lastUsedAt = try row.get("last_used_at")
    }
}

/// A session whose row is locked, with the data for checking refresh tokens.
struct LockedSession {
    let id: SessionID
    let userID: UserID
    let nonce: [UInt8]
    let generation: UInt32
    let isLive: Bool
    let now: Date

    init(_ row: PostgresRow) throws {
        id = try row.get("id")
        userID = try row.get("user_id")
        nonce = try row.get("refresh_nonce")
        generation = UInt32(clamping: try row.get("generation", as: Int.self))
        isLive = try row.get("is_live")
        now = try row.get("now")
    }
}
