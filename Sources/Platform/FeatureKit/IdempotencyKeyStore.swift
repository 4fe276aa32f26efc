import HTTPKit
import Postgres

/// The keys under which clients have made things, for seven days, so that a repeated call makes nothing a second time.
///
/// The key is written in the transaction that makes the thing. So a refused call leaves its key free, and of two equal
/// calls at once the later one waits for the earlier one and finds what that made.
package struct IdempotencyKeyStore: Sendable {
    private static let lifetime: Duration = .seconds(7 * 86_400)
    private let postgres: PostgresClient

    package init(postgres: PostgresClient) {
        self.postgres = postgres
    }

    /// Makes something once for a call.
    ///
    /// - Parameters:
    ///   - call: nil: the client sent no key, and each of its calls makes something.
    ///   - id: the id of the thing to be made. A random one serves for a thing that has none.
    ///   - make: makes the thing with that id.
    ///   - find: finds what an earlier call has made by its id, as it is now.
    /// - Throws: `IdempotencyKeyReused` when the earlier call had another body; what `make` and `find` throw.
    package static func once<Thing, Value>(
        _ tx: PostgresTransaction, _ call: RepeatableCall?, of user: UserID, id: ID<Thing>,
        make: (ID<Thing>) throws -> Value, find: (ID<Thing>) throws -> Value
    ) throws -> Creation<Value> {
        guard let call else { return Creation(value: try make(id), isRepeated: false) }
        if let earlier = try claim(tx, call, of: user, for: id) {
            return Creation(value: try find(earlier), isRepeated: true)
        }
        return Creation(value: try make(id), isRepeated: false)
    }

    /// - Returns: the id of the thing that an earlier call has made; nil if this call is the first.
    private static func claim<Thing>(
        _ tx: PostgresTransaction, _ call: RepeatableCall, of user: UserID, for id: ID<Thing>
    ) throws -> ID<Thing>? {
        let claimed = try tx.execute(
            """
            INSERT INTO idempotency_keys AS known (user_id, path, key, digest, resource_id)
            VALUES (\(user), \(call.path), \(call.key.rawValue), \(call.digest), \(id))
            ON CONFLICT (user_id, path, key) DO UPDATE
            SET digest = excluded.digest, resource_id = excluded.resource_id, created_at = excluded.created_at
            WHERE known.created_at <= now() - \(lifetime)
            """)
        guard claimed == 0 else { return nil }
        let known = try tx.one(
            """
            SELECT digest, resource_id FROM idempotency_keys
            WHERE user_id = \(user) AND path = \(call.path) AND key = \(call.key.rawValue)
            """)
        guard try known.get("digest", as: [UInt8].self) == call.digest else { throw IdempotencyKeyReused() }
        return try known.get("resource_id")
    }

    /// Deletes keys that are not known any more.
    ///
    /// - Returns: the number of deleted keys.
    package func deleteOld() async throws -> Int {
        try await postgres.executeInBatches { batch in
            """
            DELETE FROM idempotency_keys WHERE (user_id, path, key) IN (
                SELECT user_id, path, key FROM idempotency_keys
                WHERE created_at <= now() - \(Self.lifetime)
                LIMIT \(batch)
                FOR UPDATE SKIP LOCKED
            )
            """
        }
    }

    /// The calls of the user that are still known.
    package static func export(_ tx: PostgresTransaction, _ user: UserID) throws -> JSONValue {
        try tx.exported(
            """
            SELECT path, key, resource_id, created_at FROM idempotency_keys
            WHERE user_id = \(user) ORDER BY created_at, path, key
            """)
    }
}
