import DaylyTesting
import Foundation
import KeyDerivation
import Logging
import NIOCore
import ObjectStorage
import Postgres
import Synchronization
import Testing

@testable import Restoration

/// Guard: an unknown segment means that the database went back; a missing or foreign journal is refused
/// (`GuardStore.compare`, `RestoreVerdict.judge`)
@Suite("Restore guard")
struct RestoreGuardTests {
    @Test("a first start writes its mark, and is current from then on; a second instance too")
    func first() async throws {
        try await withGuard { world in
            #expect(try await world.restoreGuard.examine() == .fresh)
            try await world.restoreGuard.begin()
            #expect(try await world.restoreGuard.examine() == .current)
            let second = world.another()
            try await second.begin()
            #expect(try await second.examine() == .current)
            #expect(try await world.restoreGuard.examine() == .current)
            try await world.restoreGuard.tick()
        }
    }

    @Test("a database with a lower epoch went back, from when it was saved to when it was alive last")
    func wentBack() async throws {
        try await withGuard { world in
            try await world.restoreGuard.begin()
            try await world.save()
            try await world.restoreGuard.begin()
            try await world.restore()
            guard case .wentBack(let gap) = try await world.another().examine() else {
                Issue.record("it does not look as if it went back")
                return
            }
            #expect(gap.from <= gap.to + 1)
            // No other database writes: the backup is the only one.
            #expect(try await !world.another().isInUseElsewhere(gap))
            try await world.another().begin(after: try await world.another().plan())
            #expect(try await world.another().examine() == .current)
        }
    }

    /// Guard: a bucket that another copy of the database uses is refused (`RestoreGuard.isInUseElsewhere`)
    @Test("a bucket that another copy of the database still writes to is in use")
    func inUse() async throws {
        try await withGuard { world in
            try await world.restoreGuard.begin()
            try await world.save()
            try await world.restoreGuard.begin()
            let alive = try await world.state()
            try await world.restore()
            guard case .wentBack(let gap) = try await world.another().examine() else {
                Issue.record("it does not look as if it went back")
                return
            }
            async let isInUse = world.another().isInUseElsewhere(gap)
            try await Task.sleep(for: .milliseconds(500))
            try await world.put(epoch: alive.epoch + 7, database: alive.database)
            #expect(try await isInUse)
        }
    }

    @Test("a lost journal and another database's bucket cannot be decided")
    func undecided() async throws {
        try await withGuard { world in
            try await world.put(epoch: 5, database: UUID())
            #expect(try await world.restoreGuard.examine() == .otherDatabase)
            try await world.restoreGuard.begin(after: try await world.restoreGuard.plan())
            #expect(try await world.restoreGuard.examine() == .current)
            #expect(try await world.restoreGuard.trustsBucket())
            try await world.emptyBucket()
            #expect(try await world.restoreGuard.examine() == .journalMissing)
            #expect(try await !world.restoreGuard.trustsBucket())
            #expect(try await !world.restoreGuard.ownsBucket())
            try await world.put(epoch: 500, database: UUID())
            #expect(try await world.restoreGuard.examine() == .otherDatabase)
        }
    }

    /// Guard: a process whose database went back writes nothing more, and ends (`GuardStore.glance`, `.lock`,
    /// `RestoreWatch`)
    @Test("a running service notices, and writes nothing more")
    func noticed() async throws {
        try await withGuard(beat: .zero) { world in
            try await world.restoreGuard.begin()
            try await world.save()
            try await world.restoreGuard.tick()
            try await world.restore()
            try await world.erase(1)
            let before = try await world.keys()
            await #expect(throws: WentBack.self) { try await world.restoreGuard.tick() }
            await #expect(throws: WentBack.self) { try await world.restoreGuard.flush() }
            #expect(try await world.keys() == before)
        }
    }

    @Test("old beats go, and only one is told in an interval")
    func beats() async throws {
        try await withGuard(beat: .seconds(60)) { world in
            try await world.restoreGuard.begin()
            let first = try await world.keys()
            try await world.restoreGuard.tick()
            #expect(try await world.keys() == first)
            try await world.postgres.execute(
                "UPDATE restore_guard SET beat_at = now() - interval '2 minutes'")
            try await world.restoreGuard.tick()
            let second = try await world.keys()
            #expect(second.count == 1 && second != first)
        }
    }

    /// Guard: a beat of the restore guard that lies ahead is due again (`GuardStore.isAliveDue`)
    @Test("a beat of a clock that was ahead keeps no later one back")
    func beatAhead() async throws {
        try await withGuard(beat: .seconds(60)) { world in
            try await world.restoreGuard.begin()
            try await world.postgres.execute("UPDATE restore_guard SET beat_at = now() + interval '9 days'")
            try await world.restoreGuard.tick()
            let isNow = try await world.postgres.first("SELECT beat_at <= now() AS is_now FROM restore_guard")
            #expect(try isNow?.get("is_now") == true)
        }
    }
}

@Suite("The journal of erasures")
struct JournalTests {
    /// Guard: an erasure is in the journal before it is acknowledged (`ErasureReceipts`, the triggers of
    /// 0009)
    /// Guard: the journal holds hashes under a key (`JournalKey.seal`)
    @Test("what triggers record is in the bucket once it is settled, under keyed hashes, and nowhere else")
    func records() async throws {
        try await withGuard { world in
            try await world.restoreGuard.begin()
            let user = UUID.version7()
            try await world.postgres.execute(
                "INSERT INTO users (id, phone_number) VALUES (\(user), '+14155550101')")
            let digest = try await world.digest("user", user)
            #expect(try await !world.another().journal().contains(.user, digest))
            try await world.postgres.execute("DELETE FROM users")
            await world.restoreGuard.waitUntilWritten(within: .seconds(10))
            #expect(try await world.another().journal().contains(.user, digest))
            #expect(try await !world.another().journal().contains(.group, digest))
            #expect(try await world.count("SELECT count(*) AS count FROM erasures") == 0)
            let texts = try await world.contents()
            for text in texts {
                #expect(!text.contains(user.uuidString.lowercased()))
                // Not even the beginning of the hash without a key.
                #expect(!text.contains(Data(digest.prefix(12)).base64EncodedString()))
                #expect(!text.contains("4155550101"))
            }
        }
    }

    /// Guard: an erasure is in the journal before it is acknowledged (`ErasureReceipts`, the triggers of
    /// 0009)
    /// Guard: a restore ends only ended sessions and invitations, and uses only used days (`RestoreWalk`, the
    /// triggers of 0023, `OutboxStore.giveUpUncertain`)
    @Test("every kind of erasure, and every promise given and taken back, is recorded")
    func kinds() async throws {
        try await withGuard { world in
            try await world.restoreGuard.begin()
            let (user, group, other) = (UUID.version7(), UUID.version7(), UUID.version7())
            let (early, gone) = (UUID.version7(), UUID.version7())
            let db = world.postgres
            for (id, number) in [(user, "+14155550101"), (other, "+14155550102")] {
                try await db.execute("INSERT INTO users (id, phone_number) VALUES (\(id), \(number))")
            }
            try await db.execute("INSERT INTO groups (id, name) VALUES (\(group), 'Family')")
            try await db.execute(
                """
                INSERT INTO group_members (group_id, user_id, joined_at)
                VALUES (\(group), \(user), '2026-01-01T00:00:00Z'), (\(group), \(other), now())
                """)
            for (photo, sender) in [(early, user), (gone, other)] {
                try await db.execute(
                    """
                    INSERT INTO photos (id, group_id, sender_id, sent_on, expires_at, width, height, thumbhash, photo_key,
                                        thumbnail_key)
                    VALUES (\(photo), \(group), \(sender), current_date, now() + interval '1 hour', 1, 1, '', 'p', 't')
                    """)
            }
            let (session, used, revoked, open) = (
                UUID.version7(), UUID.version7(), UUID.version7(), UUID.version7()
            )
            try await db.execute(
                """
                INSERT INTO sessions (id, user_id, refresh_nonce, expires_at)
                VALUES (\(session), \(user), '', now() + interval '1 day')
                """)
            for (id, code) in [(used, "AAAAAA"), (revoked, "BBBBBB"), (open, "CCCCCC")] {
                try await db.execute(
                    """
                    INSERT INTO invites (id, code, group_id, phone_number, expires_at)
                    VALUES (\(id), \(code), \(group), '+14155550109', now() + interval '1 day')
                    """)
            }
            let hmac = Array("a number".utf8)
            let member = try await db.first(
                "SELECT membership_digest(\(group), \(user), '2026-01-01T00:00:00Z') AS digest")
            try await db.execute("INSERT INTO blocks (blocker_id, number_hmac) VALUES (\(user), \(hmac))")
            try await db.execute("INSERT INTO sms_opt_outs (number_hmac) VALUES (\(hmac))")
            let about = try await world.digest("user", user)
            func settled() async throws -> ErasureJournal {
                await world.restoreGuard.waitUntilWritten(within: .seconds(10))
                return try await world.another().journal()
            }
            var journal = try await settled()
            #expect(journal.lastStates(.stop, undoneBy: .allow) == [hmac: true])
            #expect(journal.lastStates(.block, undoneBy: .unblock, about: about) == [hmac: true])

            try await db.execute("DELETE FROM blocks")
            try await db.execute("DELETE FROM sms_opt_outs")
            try await db.execute("UPDATE photos SET expires_at = now() WHERE id = \(early)")
            try await db.execute("DELETE FROM photos WHERE id = \(gone)")
            journal = try await settled()
            #expect(journal.lastStates(.stop, undoneBy: .allow) == [hmac: false])
            #expect(journal.lastStates(.block, undoneBy: .unblock, about: about) == [hmac: false])
            for photo in [early, gone] {
                #expect(
                    journal.contains(ErasureKind(rawValue: "photo"), try await world.digest("photo", photo)))
            }

            try await db.execute("UPDATE sessions SET ended_at = now()")
            try await db.execute("UPDATE invites SET used_at = now() WHERE id = \(used)")
            try await db.execute("UPDATE invites SET revoked_at = now() WHERE id = \(revoked)")
            try await db.execute("DELETE FROM invites WHERE id = \(open)")
            journal = try await settled()
            #expect(journal.contains(.session, try await world.digest("session", session)))
            for invite in [used, revoked, open] {
                #expect(journal.contains(.invitation, try await world.digest("invite", invite)))
            }

            try await db.execute("DELETE FROM group_members WHERE user_id = \(user)")
            try await db.execute("DELETE FROM groups")
            try await db.execute("DELETE FROM users WHERE id = \(user)")
            journal = try await settled()
            #expect(journal.contains(.member, try #require(try member?.get("digest"))))
            #expect(journal.contains(.group, try await world.digest("group", group)))
            #expect(journal.contains(.user, about))
            #expect(journal.contains(.user, try await world.digest("user", other)) == false)
        }
    }

    @Test("records and segments of kinds that this version does not know are passed over")
    func unknownKinds() async throws {
        try await withGuard { world in
            try await world.restoreGuard.begin()
            try await world.erase(1, kind: "sent")
            try await world.erase(2)
            try await world.restoreGuard.flush()
            let name = "0000000000000000009.00001700000000.\(UUID().uuidString.lowercased()).days.token-1"
            try await world.store.put(
                try ObjectKey(world.prefix + name), ByteBuffer(string: "x"), contentType: "text/plain")
            #expect(try await world.another().journal().contains(.user, [2]))
            #expect(try await world.restoreGuard.examine() == .current)
        }
    }

    @Test("many who wait at once share the writing")
    func shared() async throws {
        try await withGuard { world in
            try await world.restoreGuard.begin()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<40 {
                    group.addTask {
                        let id = UUID.version7()
                        try await world.postgres.execute(
                            "INSERT INTO users (id, phone_number) VALUES (\(id), \("+141555502\(10 + number)"))"
                        )
                        try await world.postgres.execute("DELETE FROM users WHERE id = \(id)")
                        await world.restoreGuard.waitUntilWritten(within: .seconds(20))
                        let digest = try await world.digest("user", id)
                        let journal = try await world.another().journal()
                        #expect(journal.contains(.user, digest))
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    @Test(
        "a bucket that is away holds nobody up for longer than that, and the record is written when it is back"
    )
    func bucketAway() async throws {
        try await withGuard { world in
            try await world.restoreGuard.begin()
            world.store.set { $0.failPuts = true }
            try await world.postgres.execute("INSERT INTO erasures (kind, subject) VALUES ('user', '\\x02')")
            await world.restoreGuard.waitUntilWritten(within: .seconds(10))
            let began = ContinuousClock.now
            await world.restoreGuard.waitUntilWritten(within: .seconds(20))
            #expect(ContinuousClock.now - began < .seconds(10))
            #expect(try await world.count("SELECT count(*) AS count FROM erasures") == 1)
            world.store.set { $0.failPuts = false }
            try await world.restoreGuard.flush()
            #expect(try await world.another().journal().contains(.user, [2]))
        }
    }

    /// Guard: merging a day's segments loses no record (`RestoreGuard.merge`)
    @Test("a day's segments become one without losing a record; what is older than any backup goes")
    func tidied() async throws {
        try await withGuard { world in
            try await world.restoreGuard.begin()
            let key = await world.restoreGuard.key
            let database = try await world.state().database
            func put(_ epoch: Int, age: TimeInterval, _ records: [JournalRecord]) async throws {
                try await world.postgres.execute(
                    "INSERT INTO journal_steps (epoch, token, content, is_written) VALUES (\(epoch), 't', 'log', true)"
                )
                let segment = try JournalSegment(
                    prefix: world.prefix, name: StepName(epoch: epoch, token: "t"), writtenAt: Date() - age,
                    database: database, content: .log)
                try await world.store.put(
                    segment.key, JournalText.encode(records, key: key), contentType: "text/plain")
            }
            func digest(_ byte: UInt8) -> [UInt8] { [UInt8](repeating: byte, count: 32) }
            func record(_ kind: String, _ byte: UInt8) -> JournalRecord {
                JournalRecord(kind: kind, subject: key.seal(digest(byte)), payload: nil)
            }
            let stop = JournalRecord(kind: "stop", subject: nil, payload: [7])
            let allow = JournalRecord(kind: "allow", subject: nil, payload: [7])
            try await put(2, age: 9 * 86_400, [record("user", 9)])
            try await put(3, age: 86_400, [record("user", 1), stop])
            try await put(4, age: 86_400, [record("user", 1), allow])
            try await put(5, age: 86_400, [record("group", 2), stop])
            try await put(6, age: 60, [record("user", 3)])
            try await world.restoreGuard.begin()
            try await world.restoreGuard.tidy()
            let journal = try await world.restoreGuard.journal()
            #expect(!journal.contains(.user, digest(9)))
            for byte in [1, 3] as [UInt8] { #expect(journal.contains(.user, digest(byte))) }
            #expect(journal.contains(.group, digest(2)))
            let merged = try await world.restoreGuard.segments().first { $0.epoch == 5 }
            let records = try await world.restoreGuard.read(try #require(merged))
            #expect(records?.filter { $0.payload != nil } == [stop, allow, stop])
            // The merged day, the last minute's, and the last beat.
            #expect(try await world.keys().count == 3)
        }
    }

    /// Guard: merged segments have a bounded size; a large one is not read again (`RestoreGuard.batches`)
    @Test("segments are merged into objects of a bounded size, and a large one is not read again")
    func bounded() throws {
        func segment(_ epoch: Int, _ size: Int) throws -> JournalSegment {
            var segment = try JournalSegment(
                prefix: "state/", name: StepName(epoch: epoch, token: "t"), writtenAt: Date(),
                database: UUID(),
                content: .log)
            segment.size = size
            return segment
        }
        let mebibytes = [1, 1, 5, 1, 3, 3, 3, 1]
        let segments = try mebibytes.enumerated().map { try segment($0.offset, $0.element << 20) }
        let batches = RestoreGuard.batches(segments).map { $0.map(\.epoch) }
        #expect(batches == [[0, 1], [3, 4, 5], [6, 7]])
        #expect(RestoreGuard.batches([segments[2]]).isEmpty)
    }

    /// Guard: erasures under a previous secret are known; segments of two keys are not merged
    /// (`JournalKey.seals`, `RestoreGuard.merge`)
    @Test(
        "what was erased under the previous secret is known, and its segments are not merged with newer ones")
    func changedSecret() async throws {
        try await withGuard { world in
            func write(_ kind: String, _ subject: [UInt8], through restoreGuard: RestoreGuard) async throws {
                let payload: [UInt8]? = kind == "user" ? nil : [7]
                try await world.postgres.execute(
                    "INSERT INTO erasures (kind, subject, payload) VALUES (\(kind), \(subject), \(payload))")
                try await restoreGuard.flush()
            }
            try await world.restoreGuard.begin()
            try await write("user", [1], through: world.restoreGuard)
            try await write("block", [2], through: world.restoreGuard)
            let changed = world.another(ServiceSecrets(Fixtures.otherSecret, previous: [Fixtures.secret]))
            try await changed.begin()
            try await write("user", [3], through: changed)
            try await write("unblock", [2], through: changed)
            let journal = try await changed.journal()
            for byte in [1, 3] as [UInt8] { #expect(journal.contains(.user, [byte])) }
            #expect(!journal.contains(.user, [4]))
            #expect(journal.lastStates(.block, undoneBy: .unblock, about: [2]) == [[7]: false])
            let segments = try await changed.segments().filter { $0.content == .log }
            try await changed.merge(segments)
            #expect(try await changed.segments().filter { $0.content == .log }.count == segments.count)
            try await changed.merge(Array(segments.suffix(2)))
            #expect(try await changed.segments().filter { $0.content == .log }.count == segments.count - 1)
        }
    }

    /// Guard: a truncated journal is an error (`JournalText.decode`)
    @Test("a journal that is cut off, or of another secret, is not taken for a shorter one")
    func damaged() async throws {
        try await withGuard { world in
            try await world.restoreGuard.begin()
            try await world.postgres.execute("INSERT INTO erasures (kind, subject) VALUES ('user', '\\x02')")
            try await world.restoreGuard.flush()
            await #expect(throws: JournalFailure.otherSecret) {
                _ = try await world.another(Fixtures.otherSecret.secrets).journal()
            }
            let segment = try #require(try await world.restoreGuard.segments().last { $0.content == .log })
            let text = String(buffer: try await world.store.get(segment.key))
            _ = try await world.store.delete([segment.key])
            try await world.store.put(
                segment.key, ByteBuffer(string: String(text.dropLast(8))), contentType: "text/plain")
            await #expect(throws: JournalFailure.damaged(segment.key.rawValue)) {
                _ = try await world.restoreGuard.journal()
            }
        }
    }
}
