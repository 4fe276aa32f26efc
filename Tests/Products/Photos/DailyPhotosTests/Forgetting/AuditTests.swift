import DaylyTesting
import Foundation
import NIOCore
import ObjectStorage
import Postgres
import Testing

@testable import DailyPhotos

@Suite("Audit")
struct AuditTests {
    @Test("photos, uploads in progress and objects that were due a moment ago are not reported")
    func inOrder() async throws {
        try await withWorld { world in
            try await world.send()
            _ = try await world.claim(
                UploadAttempt(
                    groupID: world.group, senderID: world.bob, idempotencyKey: nil, fingerprint: nil,
                    width: 1,
                    height: 1, thumbHash: []))
            let report = try await world.runAudit(mends: true)
            #expect(report.findings.isEmpty && report.objects == 2 && report.isComplete)
            try await world.expireAll(by: .minutes(4))
            #expect(try await world.runAudit(mends: true).counts.isEmpty)
        }
    }

    /// Guard: an orphan is an old object without a row, by the store's clock or else ours
    /// (`PageComparison.judgeUnknown`, `StoreClock`)
    /// Guard: an orphan gets a due row only where it has none; only the sweeper deletes it
    /// (`AuditStore.adopt`)
    @Test("an object without a row is reported when it is old enough, and given to the sweeper when asked to")
    func orphan() async throws {
        try await withWorld { world in
            try await world.putOrphan("photos/orphan.jpg")
            let young = try await world.runAudit(mends: true)
            #expect(young.counts.isEmpty && young.youngOrphans == 1)

            let finding = AuditFinding(kind: .orphanObject, subject: "photos/orphan.jpg")
            #expect(try await world.runAudit(over: world.aged).findings == [finding])
            #expect(try await world.count("SELECT count(*) AS count FROM stored_objects") == 0)
            let mended = try await world.runAudit(over: world.aged, mends: true)
            #expect(mended.findings.map(\.mended) == [true] && mended.unmended == 0)
            // Only the sweeper deletes.
            #expect(try await world.store.head("photos/orphan.jpg") != nil)
            #expect(try await world.sweeper.runOnce().deletedObjects == 1)
            #expect(try await world.store.head("photos/orphan.jpg") == nil)
            #expect(try await world.runAudit(over: world.aged, mends: true).counts.isEmpty)
        }
    }

    /// Guard: an orphan is an old object without a row, by the store's clock or else ours
    /// (`PageComparison.judgeUnknown`, `StoreClock`)
    @Test("an object's age follows the store's clock, however wrong, or else our own")
    func clocks() async throws {
        try await withWorld { world in
            try await world.putOrphan("photos/orphan.jpg")
            // Dates and clock are wrong by the same hour, so the object is still young.
            for skew in [-3600.0, 3600.0] {
                let skewed = ShiftedStore(world.store, datesBy: skew, clockBy: skew)
                #expect(try await world.runAudit(over: skewed, mends: true).counts.isEmpty)
            }
            // With a date in the future and a store without a clock, the age counts from the first sighting.
            for odd in [ShiftedStore(world.store, datesBy: 1e8, clockBy: 0), ShiftedStore(world.store)] {
                try await world.postgres.execute("UPDATE orphan_sightings SET seen_at = now()")
                #expect(try await world.runAudit(over: odd).youngOrphans == 1)
                try await world.postgres.execute(
                    "UPDATE orphan_sightings SET seen_at = now() - interval '11 minutes'")
                #expect(try await world.runAudit(over: odd).count(of: .orphanObject) == 1)
            }
        }
    }

    /// Guard: an orphan gets a due row only where it has none; only the sweeper deletes it
    /// (`AuditStore.adopt`)
    @Test("an object that a row knows is never an orphan, not even when the row comes in the last moment")
    func livingObject() async throws {
        try await withWorld { world in
            try await world.send()
            #expect(try await world.runAudit(over: world.aged, mends: true).counts.isEmpty)
            #expect(try await world.storedKeys().count == 2)

            try await world.putOrphan("photos/late.jpg")
            let late = world.aged
            late.beforeSecondList = {
                _ = try? await world.postgres.execute(
                    """
                    INSERT INTO stored_objects (key, photo_id, delete_after)
                    VALUES ('photos/late.jpg', gen_random_uuid(), now() + interval '1 day')
                    """)
            }
            let report = try await world.runAudit(over: late, mends: true)
            #expect(report.count(of: .orphanObject) == 0)
            try await world.sweeper.runOnce()
            #expect(try await world.store.head("photos/late.jpg") != nil)
        }
    }

    /// Guard: an object swept during an audit is not reported (`PageComparison.stillListed`)
    @Test("an object that a sweeper deletes during the audit is not an orphan")
    func sweptMeanwhile() async throws {
        try await withWorld { world in
            try await world.send()
            try await world.expireAll()
            let sweeping = world.aged
            sweeping.afterFirstList = { _ = try? await world.sweeper.runOnce() }
            #expect(try await world.runAudit(over: sweeping, mends: true).counts.isEmpty)
            #expect(try await world.storedKeys().isEmpty)
        }
    }

    @Test("an object that is older than any photo can be is reported, whatever its row says")
    func overstayed() async throws {
        try await withWorld { world in
            try await world.send()
            let almost = ShiftedStore(world.store, datesBy: -48 * 3600 - 300, clockBy: 0)
            #expect(try await world.runAudit(over: almost).counts.isEmpty)
            let late = ShiftedStore(world.store, datesBy: -48 * 3600 - 420, clockBy: 0)
            #expect(try await world.runAudit(over: late).count(of: .overstayedObject) == 2)
        }
    }

    @Test("an object that is more than five minutes overdue is reported")
    func overdue() async throws {
        try await withWorld { world in
            try await world.send()
            try await world.expireAll(by: .minutes(6))
            let report = try await world.runAudit()
            #expect(report.counts == ["overdue_object": 2, "overdue_photo": 1])
            #expect(report.unmended == 3)
        }
    }

    @Test("pages of store and database are compared to the end, even when one side is empty")
    func pages() async throws {
        try await withWorld { world in
            let orphans = (0..<23).map { "photos/\($0 % 2 == 0 ? "a" : "ffff")\($0).jpg" }
            for key in orphans { try await world.putOrphan(key) }
            try await world.send()
            for name in 0..<17 {
                try await world.postgres.execute(
                    """
                    INSERT INTO stored_objects (key, photo_id, delete_after)
                    VALUES (\("photos/b\(name).jpg"), gen_random_uuid(), now() - interval '1 hour')
                    """)
            }
            for size in [1, 2, 7, 1000] {
                let report = try await world.runAudit(over: world.aged) { $0.pageSize = size }
                #expect(report.objects == 25)
                #expect(report.counts == ["orphan_object": 23, "overdue_object": 17], "pages of \(size)")
            }
        }
    }

    /// Guard: a listing out of order is refused (`AuditPage.read`)
    @Test("an audit refuses a listing that is not in order")
    func disorder() async throws {
        try await withWorld { world in
            for name in ["a", "b"] { try await world.putOrphan("photos/\(name).jpg") }
            let reversed = world.aged
            reversed.reverses = true
            await #expect(throws: AuditFailure.disorder) {
                try await world.runAudit(over: reversed, mends: true)
            }
        }
    }
}

extension PhotoWorld {
    func putOrphan(_ key: String) async throws {
        try await store.put(try ObjectKey(key), ByteBuffer(string: "x"), contentType: "image/jpeg")
    }

    /// The same store, its objects written an hour ago.
    var aged: ShiftedStore { ShiftedStore(store, datesBy: -3600, clockBy: 0) }
}
