import DaylyTesting
import Foundation
import Glibc
import Postgres
import Testing

extension EndToEndDamage {
    /// `dayly sweep --watch`, killed while it is at it.
    @Suite("Sweepers")
    struct SweepTests {
        @Test(
            "two that are killed before, between and after objects and rows: what is due goes, and nothing else"
        )
        func killed() async throws {
            // The service itself is to leave it to them.
            try await Service.run(on: .rclone, ["photos.sweep_interval": "240s"]) { service, proxy in
                let proxy = try #require(proxy)
                let photos = Photos(service: service)
                let living = try await photos.add(10, isDue: false)
                var due = 0
                for round in 0..<6 {
                    due += try await photos.add(100, isDue: true).count
                    let hold = [TCPProxy.Hold.requests("POST"), .replies("POST"), .nothing][round % 3]
                    let held = proxy.held
                    proxy.hold(hold)
                    let sweepers = try (0..<2).map { try photos.sweeper($0) }
                    if hold == .nothing {
                        try await Task.sleep(for: .milliseconds(Int.random(in: 0...400)))
                    } else {
                        try await proxy.waitUntilHeld(held + 1)
                    }
                    for sweeper in sweepers { try await sweeper.kill9() }
                    proxy.hold(.nothing)
                    try await photos.endLeases()
                }
                let sweepers = try (0..<2).map { try photos.sweeper($0) }
                try await eventually("everything that is due to go", within: .seconds(20)) {
                    try await photos.countDue() == 0
                }
                // Politely, once they have come so far as to hear of it.
                for sweeper in sweepers {
                    try await eventually("a sweeper that hears SIGTERM") { sweeper.catches(SIGTERM) }
                    sweeper.signal(SIGTERM)
                    #expect(try await sweeper.waitForExit(within: .seconds(10)) == 0)
                }
                #expect(try await Set(service.bucket.keys()) == Set(living))
                #expect(try await photos.keys() == Set(living))
                #expect(try photos.reported() <= due)
                let audit = try await service.run("audit")
                #expect(audit.status == 0, "\(audit)")
            }
        }
    }
}

/// Accepted photos, without the uploads that would make them.
private struct Photos: Sendable {
    let service: Service

    private var postgres: PostgresClient { service.database.client }

    /// - Returns: the keys of their objects.
    func add(_ count: Int, isDue: Bool) async throws -> [String] {
        let batch = UUID().uuidString.prefix(8).lowercased()
        let ids = (0..<count).map { _ in UUID() }
        let keys = ids.map { ["photos/\(batch)/\($0)".lowercased(), "photos/\(batch)/\($0)_t".lowercased()] }
        try await service.bucket.put(keys.flatMap { $0 })
        try await postgres.transaction { tx in
            let (owner, group) = (UUID.version7(), UUID.version7())
            try tx.execute(
                "INSERT INTO users (id, phone_number) VALUES (\(owner), \("+1\(Int.random(in: 1_000_000_000...9_999_999_999))"))"
            )
            try tx.execute("INSERT INTO groups (id, name) VALUES (\(group), 'Sweeping')")
            try tx.execute(
                """
                INSERT INTO photos (id, group_id, sender_id, sent_on, expires_at, width, height, thumbhash, photo_key,
                    thumbnail_key)
                SELECT id, \(group), \(owner), date '2020-01-01' + number::integer,
                    now() + \(isDue ? Duration.seconds(-1) : .hours(40)),
                    1, 1, '\\x01', photo, thumbnail
                FROM unnest(\(ids), \(keys.map { $0[0] }), \(keys.map { $0[1] })) WITH ORDINALITY
                    AS new (id, photo, thumbnail, number)
                """)
            try tx.execute(
                """
                INSERT INTO stored_objects (key, photo_id, created_at, delete_after)
                SELECT key, id, expires_at - interval '2 days', expires_at
                FROM photos, LATERAL (VALUES (photo_key), (thumbnail_key)) AS object (key)
                WHERE group_id = \(group)
                """)
        }
        return keys.flatMap { $0 }
    }

    func sweeper(_ number: Int) throws -> ChildProcess {
        try service.launch(
            ["sweep", "--watch", "--json"], ["photos.sweep_interval": "1s", "log.level": "warning"],
            output: "sweeper-\(number).log")
    }

    /// The processes that could renew them are dead.
    func endLeases() async throws {
        try await postgres.execute(
            "UPDATE stored_objects SET claimed_until = now() WHERE claimed_until > now()")
    }

    func countDue() async throws -> Int {
        let row = try await postgres.first(
            """
            SELECT (SELECT count(*) FROM photos WHERE expires_at <= now())
                + (SELECT count(*) FROM stored_objects WHERE delete_after <= now()) AS due
            """)
        return try row?.get("due") ?? -1
    }

    func keys() async throws -> Set<String> {
        Set(try await postgres.query("SELECT key FROM stored_objects").map { try $0.get("key") })
    }

    /// The objects that sweeps which came to their end say they deleted.
    func reported() throws -> Int {
        try (0..<2).reduce(0) { sum, number in
            let log = try String(
                contentsOf: service.folder.appendingPathComponent("sweeper-\(number).log"), encoding: .utf8)
            return sum
                + log.matches(of: #/"deleted_objects":(\d+)/#).compactMap { Int($0.1) }.reduce(0, +)
        }
    }
}
