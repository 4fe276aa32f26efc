import Auth
import Crypto
import FeatureKit
import Foundation
import Postgres
import Push

/// SQL about devices. A device receives messages until the session ends in which it was registered.
struct DeviceStore: Sendable {
    /// The number of devices that a user may have. A further one replaces the oldest.
    static let maxPerUser = 20

    let postgres: PostgresClient

    init(postgres: PostgresClient) {
        self.postgres = postgres
    }

    /// The condition that the session `s` of a device has not ended.
    static let isLive: SQL = "s.ended_at IS NULL AND s.expires_at > now()"

    /// Registers a device for the user. A device with the same token no longer receives another user's messages.
    ///
    /// The user's row is locked first, in the common order of locks: two registrations at once would each count without the
    /// other's device. The session's row is locked, so that a sign-out happens either before or after, and in the second
    /// case deletes the device.
    ///
    /// - Throws: `DeviceError.sessionOver`.
    func register(_ token: DeviceToken, for user: UserID, in session: SessionID) async throws {
        try await postgres.transaction { tx in
            try tx.execute("SELECT 1 FROM users WHERE id = \(user) FOR NO KEY UPDATE")
            let live = try tx.first(
                """
                SELECT 1 AS one FROM sessions s
                WHERE s.id = \(session) AND s.user_id = \(user) AND \(fragment: Self.isLive)
                FOR SHARE
                """)
            guard live != nil else { throw DeviceError.sessionOver }
            try tx.execute(
                """
                INSERT INTO devices (id, digest, token, platform, user_id, session_id)
                VALUES (\(UUID.version7()), \(Self.digest(of: token.address)), \(token.text),
                    \(token.platform.rawValue), \(user), \(session))
                ON CONFLICT (digest) DO UPDATE
                SET token = excluded.token, platform = excluded.platform, user_id = excluded.user_id, session_id = excluded.session_id,
                    registered_at = now()
                """)
            try deleteOldest(tx, of: user)
        }
    }

    /// Keeps the account from being deleted until the transaction ends. False where it is gone.
    static func keepOwner(_ tx: PostgresTransaction, _ user: UserID) throws -> Bool {
        try tx.first("SELECT 1 AS one FROM users WHERE id = \(user) FOR KEY SHARE") != nil
    }

    private func deleteOldest(_ tx: PostgresTransaction, of user: UserID) throws {
        try tx.execute(
            """
            DELETE FROM devices WHERE id IN (
                SELECT id FROM devices WHERE user_id = \(user)
                ORDER BY registered_at DESC, id DESC
                OFFSET \(Self.maxPerUser)
            )
            """)
    }

    /// Deletes the user's device with that token; a browser's is its endpoint. An unknown token, and another user's device, is
    /// left unchanged.
    func unregister(_ text: String, by user: UserID) async throws {
        // APNs tokens are stored in lower case. FCM tokens are case-sensitive.
        let digests = [Self.digest(of: text), Self.digest(of: text.lowercased())]
        try await postgres.execute(
            "DELETE FROM devices WHERE user_id = \(user) AND digest IN (\(digests[0]), \(digests[1]))")
    }

    /// The user's devices on the platforms, latest first.
    func devices(of user: UserID, on platforms: Set<PushPlatform>) async throws -> [Device] {
        try await postgres.query(
            """
            SELECT d.id, d.platform, d.token
            FROM devices d
            JOIN sessions s ON s.id = d.session_id
            WHERE d.user_id = \(user) AND d.platform = ANY(\(Self.names(platforms))) AND \(fragment: Self.isLive)
            ORDER BY d.registered_at DESC, d.id
            """
        ).compactMap { row in
            guard let platform = PushPlatform(rawValue: try row.get("platform")),
                let token = DeviceToken(try row.get("token"), platform: platform)
            else { return nil }
            return Device(id: try row.get("id"), token: token)
        }
    }

    /// The devices of sessions, for their last message.
    static func devices(
        _ tx: PostgresTransaction, of sessions: [SessionID], on platforms: Set<PushPlatform>
    ) throws -> [(owner: UserID, farewell: Farewell)] {
        try tx.query(
            """
            SELECT user_id, platform, token FROM devices
            WHERE session_id = ANY(\(sessions)) AND platform = ANY(\(names(platforms)))
            """
        ).map { row in
            (try row.get("user_id"), Farewell(platform: try row.get("platform"), token: try row.get("token")))
        }
    }

    /// Whether somebody receives messages at the token's address.
    func isRegistered(_ token: DeviceToken) async throws -> Bool {
        try await postgres.first(
            "SELECT 1 AS one FROM devices WHERE digest = \(Self.digest(of: token.address))")
            != nil
    }

    /// Deletes a device that its provider reports as gone, unless it was registered again after that time, or after the request
    /// to the provider.
    ///
    /// - Returns: whether it was deleted.
    func delete(_ device: Device, goneSince: Date?, askedAt: Date) async throws -> Bool {
        let latest = min(goneSince ?? askedAt, askedAt)
        return try await postgres.execute(
            "DELETE FROM devices WHERE id = \(device.id) AND registered_at <= \(latest)") == 1
    }

    /// The owners of the numbers who have a device on one of the platforms, by number.
    static func owners(
        _ tx: PostgresTransaction, of numbers: [PhoneNumber], on platforms: Set<PushPlatform>
    ) throws -> [String: UserID] {
        let rows = try tx.query(
            """
            SELECT u.phone_number, u.id
            FROM users u
            WHERE u.phone_number = ANY(\(numbers)) AND \(fragment: canBeReached(on: platforms))
            """)
        return try rows.reduce(into: [:]) { owners, row in
            owners[try row.get("phone_number")] = try row.get("id", as: UserID.self)
        }
    }

    /// The lanes that lead to the user's devices.
    static func lanes(
        _ tx: PostgresTransaction, of user: UserID, on platforms: Set<PushPlatform>
    ) throws -> [String] {
        try tx.query(
            "SELECT unnest(\(fragment: lanesSQL(platforms))) AS lane FROM users u WHERE u.id = \(user)"
        ).map { try $0.get("lane") }
    }

    /// The lanes that lead to each user's devices. Users without a device are left out. The others' accounts are not deleted until the
    /// transaction ends.
    static func lanes(
        _ tx: PostgresTransaction, of users: Set<UserID>, on platforms: Set<PushPlatform>
    ) throws -> [UserID: [String]] {
        let rows = try tx.query(
            """
            SELECT u.id, \(fragment: lanesSQL(platforms)) AS lanes FROM users u
            WHERE u.id = ANY(\(Array(users))) AND \(fragment: canBeReached(on: platforms))
            ORDER BY u.id
            FOR KEY SHARE OF u
            """)
        return try rows.reduce(into: [:]) { found, row in
            found[try row.get("id", as: UserID.self)] = try row.get("lanes")
        }
    }

    /// SQL for the lanes that lead to the devices of the user `u`. A browser's is found by the host of its endpoint, with which
    /// its token begins.
    static func lanesSQL(_ platforms: Set<PushPlatform>) -> SQL {
        let services = WebPushService.allCases
        return """
            ARRAY(
                SELECT DISTINCT coalesce(service.lane, d.platform) FROM devices d
                JOIN sessions s ON s.id = d.session_id
                LEFT JOIN unnest(\(services.map(\.rawValue)), \(services.map(\.lane))) AS service (host, lane)
                    ON d.platform = 'web' AND '.' || split_part(d.token, '/', 3) LIKE '%.' || service.host
                WHERE d.user_id = u.id AND d.platform = ANY(\(names(platforms))) AND \(fragment: isLive)
            )
            """
    }

    /// The SQL condition that the user `u` has a device on one of the platforms.
    static func canBeReached(on platforms: Set<PushPlatform>) -> SQL {
        """
        EXISTS (
            SELECT 1 FROM devices d
            JOIN sessions s ON s.id = d.session_id
            WHERE d.user_id = u.id AND d.platform = ANY(\(names(platforms))) AND \(fragment: isLive)
        )
        """
    }

    private static func names(_ platforms: Set<PushPlatform>) -> [String] {
        platforms.map(\.rawValue).sorted()
    }

    private static func digest(of token: String) -> [UInt8] {
        Array(SHA256.hash(data: Data(token.utf8)))
    }
}
