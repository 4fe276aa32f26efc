import DaylyTesting
import Foundation
import NIOCore
import ObjectStorage
import Postgres
import Testing

@testable import Restoration

@Suite("Two histories of one database")
struct HistoryTests {
    /// Guard: a process that writes nothing notices too (`RestoreGuard.tick` (`raise`), `.look`)
    @Test("a process that writes nothing itself notices a rollback of another one's step")
    func idle() async throws {
        try await withGuard(beat: .seconds(60)) { world in
            let idle = world.another()
            try await world.restoreGuard.begin()
            try await idle.begin()
            try await idle.tick()
            try await world.save()
            try await world.makeBeatDue()
            try await world.restoreGuard.tick()
            // The idle process has looked at the bucket just now and will not do so again for a while.
            try await idle.tick()
            try await world.restore()
            await #expect(throws: WentBack.self) { try await idle.tick() }
        }
    }

    /// Guard: an unknown segment means that the database went back; a missing or foreign journal is refused
    /// (`GuardStore.compare`, `RestoreVerdict.judge`)
    /// Guard: a process that writes nothing notices too (`RestoreGuard.tick` (`raise`), `.look`)
    @Test("a lost step whose number is taken again is noticed while the service runs and at the next start")
    func fork() async throws {
        try await withGuard(beat: .seconds(60)) { world in
            try await world.restoreGuard.begin()
            try await world.save()
            try await world.erase(1)
            try await world.restoreGuard.flush()
            let lost = try await world.state().epoch
            try await world.restore()
            let unaware = world.another()
            try await unaware.begin()
            for byte in 2...4 as ClosedRange<UInt8> {
                try await world.erase(byte)
                try await unaware.flush()
            }
            #expect(try await world.state().epoch > lost)
            guard case .wentBack(let gap) = try await world.another().examine() else {
                Issue.record("it does not look as if it went back")
                return
            }
            #expect(gap.epoch == lost - 1)
            await #expect(throws: WentBack.self) { try await unaware.tick() }
            await #expect(throws: WentBack.self) { try await unaware.tidy() }
            let plan = try await world.another().plan()
            #expect(plan.doubt == nil)
            #expect(plan.adopted.map(\.epoch) == [lost])
            try await world.another().begin(after: plan)
            #expect(try await world.another().examine() == .current)
        }
    }

    /// Guard: a restore repeats only lost erasures, and says where the journal cannot tell
    /// (`RestoreGuard.plan`)
    @Test("a restore reads what was lost, not what the backup has")
    func onlyTheLost() async throws {
        try await withGuard { world in
            try await world.restoreGuard.begin()
            try await world.erase(1)
            try await world.restoreGuard.flush()
            try await world.save()
            try await world.erase(2)
            try await world.restoreGuard.flush()
            try await world.restore()
            let plan = try await world.another().plan()
            var reader = world.another().reader(plan)
            let journal = try #require(try await reader.next())
            #expect(journal.contains(.user, [2]))
            #expect(!journal.contains(.user, [1]))
            #expect(try await reader.next() == nil)
        }
    }

    /// Guard: a restore repeats only lost erasures, and says where the journal cannot tell
    /// (`RestoreGuard.plan`)
    @Test("a backup that is older than the journal, and one without a journal, are in doubt")
    func doubt() async throws {
        try await withGuard { world in
            try await world.restoreGuard.begin()
            try await world.save()
            try await world.restoreGuard.begin()
            try await world.restore()
            #expect(try await world.another().plan().doubt == nil)
            try await world.postgres.execute("UPDATE restore_guard SET beat_at = now() - interval '8 days'")
            try await world.postgres.execute("UPDATE journal_steps SET at = now() - interval '8 days'")
            #expect(try await world.another().plan().doubt == .tooOld)
            try await world.restore()
            try await world.emptyBucket()
            #expect(try await world.another().plan().doubt == .foreignBucket)
        }
    }

    /// Guard: a restore holds bounded parts of the journal in memory (`JournalReader.next`)
    @Test("a part of the journal holds a bounded number of records")
    func parts() async throws {
        try await withGuard { world in
            try await world.restoreGuard.begin()
            try await world.save()
            for byte in 1...3 as ClosedRange<UInt8> {
                try await world.erase(byte)
                try await world.restoreGuard.flush()
            }
            try await world.restore()
            let plan = try await world.another().plan()
            var reader = world.another().reader(plan, recordsInPart: 1)
            for byte in 1...3 as ClosedRange<UInt8> {
                let part = try #require(try await reader.next())
                #expect(part.count == 1 && part.contains(.user, [byte]))
            }
            #expect(try await reader.next() == nil)
        }
    }
}

@Suite("The order and the loss of the journal")
struct JournalKeepingTests {
    /// Guard: the journal's records about one subject keep their order (`GuardStore.pending` (the lock comes
    /// first))
    @Test("a process that waits for another one's step writes what was erased meanwhile, too")
    func ordered() async throws {
        try await withGuard { world in
            try await world.restoreGuard.begin()
            try await world.erase(1, kind: "unblock")
            let postgres = world.postgres
            async let holder: Void = postgres.transaction { tx in
                try tx.execute("SELECT 1 FROM restore_guard FOR UPDATE")
                // Until the flush waits for the row.
                let waiters: SQL = """
                    SELECT count(*) AS count FROM pg_stat_activity
                    WHERE wait_event_type = 'Lock' AND datname = current_database()
                    """
                for _ in 0..<3_000 {
                    try tx.execute("SELECT pg_stat_clear_snapshot()")
                    if try tx.first(waiters)?.get("count", as: Int.self) ?? 0 > 0 { break }
                    try tx.execute("SELECT pg_sleep(0.01)")
                }
                try tx.execute("INSERT INTO erasures (kind, subject) VALUES ('block', '\\x02')")
            }
            let held: SQL = """
                SELECT count(*) AS count FROM pg_locks
                WHERE relation = 'restore_guard'::regclass AND mode = 'RowShareLock' AND granted
                """
            try await eventually("the transaction holds its lock") { try await world.count(held) > 0 }
            try await world.restoreGuard.flush()
            try await holder
            #expect(try await world.restoreGuard.journal().count == 2)
        }
    }

    /// Guard: the loss of the journal, or of a part, is noticed and noted (`RestoreGuard.look`,
    /// `RestoreGuard.findHole`)
    @Test(
        "the loss of the journal, or of a part, is noticed while the service runs, and noted in what comes after"
    )
    func lost() async throws {
        for (keepsBeat, hasLog) in [(true, true), (false, true), (false, false)] {
            try await withGuard { world in
                try await world.restoreGuard.begin()
                if hasLog { try await world.erase(1) }
                try await world.restoreGuard.flush()
                #expect(try await world.restoreGuard.trustsBucket())
                for key in try await world.keys() where !keepsBeat || key.rawValue.contains(".log.") {
                    _ = try await world.store.delete([key])
                }
                // No segment that was written a moment ago is missed.
                try await world.restoreGuard.look()
                try await world.postgres.execute("UPDATE journal_steps SET at = now() - interval '3 minutes'")
                try await world.restoreGuard.look()
                #expect(try await !world.restoreGuard.trustsBucket())
                // Audits still look for orphans: the loss is noted in a segment of this database.
                #expect(try await world.restoreGuard.ownsBucket())
                #expect(try await world.restoreGuard.journal().hasRecords(of: .hole))
                // It is noted once.
                let keys = try await world.keys()
                try await world.restoreGuard.look()
                #expect(try await world.keys() == keys)
            }
        }
    }

    /// Guard: the loss of the journal, or of a part, is noticed and noted (`RestoreGuard.look`,
    /// `RestoreGuard.findHole`)
    @Test(
        "segments of which a bucket has only hidden versions are lost, and a restore does not wait for them")
    func hidden() async throws {
        try await withGuard { world in
            try await world.restoreGuard.begin()
            try await world.save()
            try await world.erase(1)
            try await world.restoreGuard.flush()
            let hidden = Set(try await world.keys())
            world.store.set { $0.hidden = hidden }
            try await world.age()
            try await world.restoreGuard.look()
            #expect(try await !world.restoreGuard.trustsBucket())
            try await world.restore()
            let plan = try await world.another().plan()
            var reader = world.another().reader(plan)
            let part = try #require(try await reader.next())
            #expect(part.hasHole(since: plan) && !part.contains(.user, [1]))
            #expect(try await reader.next() == nil)
        }
    }

    /// Guard: a loss before the backup puts no restore in doubt (`ErasureJournal.hasHole`)
    @Test(
        "a backup that was made after a loss was noted is not in doubt, whatever is merged, and an older one is"
    )
    func backupAfterHole() async throws {
        for isAfter in [true, false] {
            try await withGuard { world in
                try await world.restoreGuard.begin()
                try await world.erase(1)
                try await world.restoreGuard.flush()
                if !isAfter { try await world.save() }
                for key in try await world.keys() where key.rawValue.contains(".log.") {
                    _ = try await world.store.delete([key])
                }
                try await world.age()
                try await world.restoreGuard.look()
                if isAfter { try await world.save() }
                try await world.erase(2)
                try await world.restoreGuard.flush()
                try await world.age()
                try await world.restoreGuard.tidy()
                try await world.restore()
                let plan = try await world.another().plan()
                var reader = world.another().reader(plan)
                let part = try #require(try await reader.next())
                #expect(part.hasRecords(of: .hole) && part.contains(.user, [2]))
                #expect(part.hasHole(since: plan) != isAfter)
            }
        }
    }

    @Test("a single listing that misses the journal is not taken for a loss, two are")
    func missedOnce() async throws {
        try await withGuard { world in
            try await world.restoreGuard.begin()
            try await world.erase(1)
            try await world.restoreGuard.flush()
            try await world.postgres.execute("UPDATE journal_steps SET at = now() - interval '3 minutes'")
            for (listings, isLost) in [(1, false), (2, true)] {
                world.store.set { $0.emptyListings = listings }
                try await world.restoreGuard.look()
                #expect(try await world.restoreGuard.journal().hasRecords(of: .hole) == isLost)
            }
        }
    }

    /// Guard: removed segments, and those of another database, do not count as lost (`GuardStore.markGone`,
    /// `.missing`, `RestoreGuard.begin`)
    @Test("segments that are merged or too old are not taken for lost")
    func removedOnPurpose() async throws {
        try await withGuard { world in
            try await world.restoreGuard.begin()
            for byte in 1...3 as ClosedRange<UInt8> {
                try await world.erase(byte)
                try await world.restoreGuard.flush()
            }
            try await world.age()
            try await world.restoreGuard.tidy()
            try await world.restoreGuard.look()
            let logs = try await world.restoreGuard.segments().filter { $0.content == .log }
            #expect(logs.count == 1)
            #expect(try await world.restoreGuard.trustsBucket())
            let journal = try await world.restoreGuard.journal()
            for byte in 1...3 as ClosedRange<UInt8> { #expect(journal.contains(.user, [byte])) }
        }
    }

    /// Guard: removed segments, and those of another database, do not count as lost (`GuardStore.markGone`,
    /// `.missing`, `RestoreGuard.begin`)
    @Test("segments that the lost history merged are not taken for lost after a restore")
    func mergedByTheLost() async throws {
        try await withGuard { world in
            try await world.restoreGuard.begin()
            for byte in 1...2 as ClosedRange<UInt8> {
                try await world.erase(byte)
                try await world.restoreGuard.flush()
            }
            try await world.age()
            try await world.save()
            try await world.erase(3)
            try await world.restoreGuard.flush()
            try await world.age()
            try await world.restoreGuard.tidy()
            #expect(try await world.restoreGuard.segments().filter { $0.content == .log }.count == 1)
            try await world.restore()
            let restored = world.another()
            let plan = try await restored.plan()
            #expect(plan.doubt == nil)
            try await restored.begin(after: plan)
            try await world.age()
            try await restored.look()
            #expect(try await restored.trustsBucket())
            let journal = try await restored.journal()
            #expect(!journal.hasRecords(of: .hole))
            for byte in 1...3 as ClosedRange<UInt8> { #expect(journal.contains(.user, [byte])) }
        }
    }

    /// Guard: removed segments, and those of another database, do not count as lost (`GuardStore.markGone`,
    /// `.missing`, `RestoreGuard.begin`)
    @Test("the segments of another database, once they were accepted, are not taken for lost")
    func accepted() async throws {
        try await withGuard { world in
            let key = await world.restoreGuard.key
            let segment = try JournalSegment(
                prefix: world.prefix, name: StepName(epoch: 7, token: "theirs"), writtenAt: Date(),
                database: UUID(), content: .log)
            let record = JournalRecord(kind: "user", subject: key.seal([1]), payload: nil)
            try await world.store.put(
                segment.key, JournalText.encode([record], key: key), contentType: "text/plain")
            try await world.restoreGuard.begin(after: try await world.restoreGuard.plan())
            try await world.postgres.execute("UPDATE journal_steps SET at = now() - interval '1 hour'")
            try await world.restoreGuard.look()
            #expect(try await world.restoreGuard.trustsBucket())
            #expect(try await world.restoreGuard.journal().contains(.user, [1]))
        }
    }
}
