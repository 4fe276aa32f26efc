import DaylyTesting
import Foundation
import ObjectStorage
import Postgres
import ProgramTesting

/// All that the harness reads of the database, and how it lets time pass: few statements, all of them here.
extension World {
    func ledgerHas(_ key: String) async throws -> Bool {
        try await database.client.first("SELECT FROM stored_objects WHERE key = \(key)") != nil
    }

    /// How far somebody's upload to a group has come.
    enum UploadState: Sendable {
        case none, pending, live
    }

    func upload(of sender: String, in group: String) async throws -> UploadState {
        let row = try await database.client.first(
            """
            SELECT lease_until IS NULL AS is_live FROM photos
            WHERE sender_id::text = \(sender) AND group_id::text = \(group)
            """)
        guard let row else { return .none }
        return try row.get("is_live") ? .live : .pending
    }

    /// Objects without rows have been known of for so long that they can be judged.
    func ageSightings() async throws {
        try await database.client.execute("UPDATE orphan_sightings SET seen_at = seen_at - interval '1 hour'")
    }

    /// Whoever audits has died.
    func endLeasesOfAudits() async throws {
        try await database.client.execute("UPDATE audit_runs SET lease_until = NULL")
    }

    /// Whoever holds news has died: another one may take them.
    func endLeasesOfNews() async throws {
        try await database.client.execute(
            """
            UPDATE outbox SET due_at = now()
            WHERE done_at IS NULL AND due_at > now() + interval '20 seconds'
            """)
    }

    /// Waits until everybody has been told what there is to tell.
    func awaitNews() async throws {
        try await eventually("all news", within: .seconds(30), every: .milliseconds(10)) {
            try await database.client.first("SELECT FROM outbox WHERE done_at IS NULL LIMIT 1") == nil
        }
    }

    /// Whether the database takes a second row for a day that has one. Nothing of it stays.
    package func takesSecondRow() async throws -> Bool {
        struct Taken: Error {}
        do {
            try await database.client.transaction { tx in
                let copied = try tx.execute(
                    """
                    INSERT INTO photos (id, group_id, sender_id, sent_on, lease_until, width, height, thumbhash,
                                        photo_key, thumbnail_key)
                    SELECT gen_random_uuid(), group_id, sender_id, sent_on, now(), width, height, thumbhash,
                           photo_key, thumbnail_key
                    FROM photos LIMIT 1
                    """)
                guard copied == 1 else { throw ProxyError(description: "there is no photo to copy") }
                throw Taken()
            }
            return false
        } catch is Taken {
            return true
        } catch is PostgresError {
            return false
        }
    }

    /// A day ends for one sender in one group.
    package func passDay(of sender: String, in group: String) async throws {
        try await database.client.transaction { tx in
            // By a detour: a row must not meet the one of the day before it.
            for days in [-30_001, 30_000] {
                try tx.execute(
                    """
                    UPDATE photos SET sent_on = sent_on + \(days)::integer
                    WHERE sender_id::text = \(sender) AND group_id::text = \(group)
                    """)
            }
            try tx.execute(
                """
                UPDATE photo_slots SET last_sent_on = last_sent_on - 1
                WHERE sender_id::text = \(sender) AND group_id::text = \(group)
                """)
        }
    }

    /// Time passes for photos, their objects, and what is claimed of both.
    package func pass(_ time: Duration) async throws {
        try await database.client.transaction { tx in
            for table in ["photos", "stored_objects"] {
                let columns = try tx.query(
                    """
                    SELECT column_name::text AS name FROM information_schema.columns
                    WHERE table_schema = 'public' AND table_name = \(table)
                        AND data_type = 'timestamp with time zone'
                    """
                ).map { try $0.get("name", as: String.self) }
                let moves = columns.map { name -> SQL in
                    "\(identifier: name) = \(identifier: name) - \(time)"
                }
                try tx.execute("UPDATE \(identifier: table) SET \(fragment: SQL.joined(moves, by: ", "))")
            }
        }
    }

    /// Due objects look as if no sweeper had tried to delete them.
    package func forgetTries() async throws {
        try await database.client.execute(
            "UPDATE stored_objects SET claimed_until = NULL, claimed_by = NULL WHERE delete_after <= now()")
    }

    /// The remains when everything has come to rest.
    package func remains() async throws -> Remains {
        var remains = Remains()
        let rows = try await database.client.query(
            """
            SELECT id::text AS id, group_id::text AS group_id, sender_id::text AS sender_id,
                   lease_until IS NULL AS is_live, COALESCE(expires_at <= now(), false) AS is_expired,
                   ARRAY[photo_key, thumbnail_key] AS keys, sent_on::text AS day
            FROM photos
            """)
        remains.photos = try rows.map { row in
            StoredPhoto(
                id: try row.get("id"), group: try row.get("group_id"), sender: try row.get("sender_id"),
                day: try row.get("day"), isLive: try row.get("is_live"), isExpired: try row.get("is_expired"),
                keys: try row.get("keys"))
        }
        remains.ledger = Set(
            try await database.client.query("SELECT key FROM stored_objects").map { try $0.get("key") })
        remains.mostGroups = try await most("SELECT count(*) AS n FROM group_members GROUP BY user_id")
        remains.mostMembers = try await most("SELECT count(*) AS n FROM group_members GROUP BY group_id")
        remains.database = try await database.client.everyRow()
        for key in try await keys() {
            guard let bytes = try? await bucket.get(key) else { continue }
            remains.objects[key.rawValue] = [UInt8](bytes.readableBytesView)
        }
        remains.files = files()
        return remains
    }

    /// Rows in which one of the texts occurs.
    package func traces(of texts: [String]) async throws -> [String] {
        try await database.client.everyRow().filter { row in texts.contains { row.contains($0) } }
            .map { String($0.prefix(80)) }
    }

    private func most(_ counts: SQL) async throws -> Int {
        try await database.client.first("SELECT COALESCE(max(n), 0) AS most FROM (\(fragment: counts)) AS c")?
            .get("most") ?? 0
    }

    /// Every object under `photos/`.
    package func keys() async throws -> [ObjectKey] {
        var keys: [ObjectKey] = []
        var continuation: String?
        repeat {
            let page = try await bucket.list(prefix: "photos/", continuation: continuation)
            keys += page.objects.map(\.key)
            continuation = page.continuation
        } while continuation != nil
        return keys
    }

    /// Files that the programs left in their folders, except for their logs.
    private func files() -> [String: [UInt8]] {
        var found: [String: [UInt8]] = [:]
        for name in ["tmp", "data"] {
            let root = folder.appendingPathComponent(name)
            for case let path as String in FileManager.default.enumerator(atPath: root.path) ?? .init() {
                guard let data = try? Data(contentsOf: root.appendingPathComponent(path)) else { continue }
                found[name + "/" + path] = [UInt8](data)
            }
        }
        return found
    }
}
