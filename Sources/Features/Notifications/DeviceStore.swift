import FeatureKit
import Auth
import Crypto
import Foundation
import Postgres
import Push

/// Devices: all SQL that writes `devices`. A device is only as good as the session that it was registered in.
package struct DeviceStore: Sendable {
    /// Of one user: the oldest go first.
    static let maxPerUser = 20

    let postgres: PostgresClient

    package init(postgres: PostgresClient) {
        self.postgres = postgres
    }

    /// `d` is a device, `s` its session.
    static let isLive: SQL = "s.ended_at IS NULL AND s.expires_at > now()"

    /// Lets messages for the user go to that device, and to nobody else's any more.
    ///
    /// Users come first in the order of locks. The session's row is held, so that a sign-out comes before or after and takes the device along.
    /// - Throws: `DeviceError.sessionOver`.
    func register(_ token: DeviceToken, for user: UserID, in session: SessionID) async throws {
        try await postgres.transaction { tx in
            try tx.execute("SELECT 1 FROM users WHERE id = \(user) FOR KEY SHARE")
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
                VALUES (\(UUID.version7()), \(Self.digest(of: token.text)), \(token.text),
                    \(token.platform.rawValue), \(user), \(session))
                ON CONFLICT (digest) DO UPDATE
                SET platform = excluded.platform, user_id = excluded.user_id, session_id = excluded.session_id,
                    registered_at = now()
                """)
            try dropOldest(tx, of: user)
        }
    }

    private func dropOldest(_ tx: PostgresTransaction, of user: UserID) throws {
        try tx.execute(
            """
            DELETE FROM devices WHERE id IN (
                SELECT id FROM devices WHERE user_id = \(user)
                ORDER BY registered_at DESC, id DESC
                OFFSET \(Self.maxPerUser)
            )
            """)
    }

    /// Nobody's device, and another user's, is left alone.
    func unregister(_ text: String, by user: UserID) async throws {
        // An APNs token is kept in lower case; of the other kind each case is another token.
        let digests = [Self.digest(of: text), Self.digest(of: text.lowercased())]
        try await postgres.execute(
            "DELETE FROM devices WHERE user_id = \(user) AND digest IN (\(digests[0]), \(digests[1]))")
    }

    /// Where the user can be reached.
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

    /// Forgets a device whose provider says that it is gone, unless it was registered again since: after that moment,
    /// or after the provider was asked.
    /// - Returns: whether it was forgotten.
    func drop(_ device: Device, goneSince: Date?, askedAt: Date) async throws -> Bool {
        let latest = min(goneSince ?? askedAt, askedAt)
        return try await postgres.execute(
            "DELETE FROM devices WHERE id = \(device.id) AND registered_at <= \(latest)") == 1
    }

    /// The owners of the numbers who can be reached, by number.
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

    /// The names of the platforms by which the user can be reached.
    static func platforms(
        _ tx: PostgresTransaction, of user: UserID, on platforms: Set<PushPlatform>
    ) throws -> [String] {
        try tx.query(
            "SELECT unnest(\(fragment: platformsSQL(platforms))) AS platform FROM users u WHERE u.id = \(user)"
        ).map { try $0.get("platform") }
    }

    /// The names of the platforms by which the user `u` can be reached.
    static func platformsSQL(_ platforms: Set<PushPlatform>) -> SQL {
        """
        ARRAY(
            SELECT DISTINCT d.platform FROM devices d
            JOIN sessions s ON s.id = d.session_id
            WHERE d.user_id = u.id AND d.platform = ANY(\(names(platforms))) AND \(fragment: isLive)
        )
        """
    }

    /// Whether the user `u` has a device to be reached by.
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
