import DaylyTesting
import Foundation
import NIOCore
import ObjectStorage
import Postgres
import Testing

@testable import DailyPhotos

@Suite("Photos without objects")
struct MissingObjectTests {
    @Test(
        "a photo without its object is reported, and hidden when asked to; its event, row and other object end as usual"
    )
    func missing() async throws {
        try await withWorld { world in
            let photo = try await world.send().photo.photo
            // The object is too old for a late PUT.
            try await world.postgres.execute(
                "UPDATE stored_objects SET created_at = now() - interval '1 hour'")
            _ = try await world.store.delete([photo.thumbnailKey])
            let finding = AuditFinding(kind: .missingObject, subject: photo.thumbnailKey.rawValue)
            #expect(try await world.runAudit().findings == [finding])
            #expect(try await world.feed().count == 1)

            let report = try await world.runAudit(mends: true)
            #expect(report.hiddenPhotos == 1 && report.unmended == 0)
            #expect(try await world.feed().isEmpty)
            try await world.sweeper.runOnce()
            #expect(try await world.storedKeys().isEmpty)
            #expect(try await world.count("SELECT count(*) AS count FROM photos") == 0)
            // The day stays used, as after any deletion.
            await #expect(throws: PhotoError.self) { try await world.send() }
        }
    }

    /// Guard: a photo is hidden after two failed look-ups of its object, while it lives
    /// (`PageComparison.lookAgainForMissing`)
    @Test("a listing that leaves objects out, or a store that finds one late, hides nothing")
    func notReally() async throws {
        try await withWorld { world in
            let photo = try await world.send().photo.photo
            let empty = world.aged
            empty.listsNothing = true
            #expect(try await world.runAudit(over: empty, mends: true).counts.isEmpty)
            let late = world.aged
            late.listsNothing = true
            late.missesFirstHead = true
            #expect(try await world.runAudit(over: late, mends: true).counts.isEmpty)
            #expect(try await world.feed().map(\.id) == [photo.id])
        }
    }

    /// Guard: an object that has only hidden versions is looked up (`PageComparison.meet`)
    @Test("an object of which nothing but hidden versions is left is missing")
    func hidden() async throws {
        try await withWorld { world in
            try await world.send()
            let versioned = world.aged
            versioned.hidesAll = true
            #expect(try await world.runAudit(over: versioned).counts == ["missing_object": 2])
        }
    }

    /// Guard: a photo is hidden after two failed look-ups of its object, while it lives
    /// (`PageComparison.lookAgainForMissing`)
    @Test("a photo that ended during the audit is not reported")
    func endedMeanwhile() async throws {
        try await withWorld { world in
            try await world.send()
            let ending = world.aged
            ending.listsNothing = true
            ending.beforeHead = {
                try? await world.expireAll()
                _ = try? await world.sweeper.runOnce()
            }
            #expect(try await world.runAudit(over: ending, mends: true).counts.isEmpty)
        }
    }

    /// Guard: photos are not hidden where the bucket is unknown, nor beyond the bound
    /// (`PageComparison.mayHide`, `AuditStore.begin`)
    @Test(
        "a store that has lost everything hides no photo when its journal is lost; another bucket is not audited"
    )
    func lostDisk() async throws {
        try await withWorld { world in
            try await world.send()
            let lost = world.aged
            lost.hasLostAll = true
            let report = try await world.runAudit(over: lost, mends: true, isBucketTrusted: { false })
            #expect(report.hiddenPhotos == 0 && report.count(of: .missingObject) == 2)
            #expect(report.doubt != nil)
            #expect(try await world.feed().count == 1)
            await #expect(throws: AuditFailure.unknownBucket) {
                try await world.runAudit(mends: true, isBucketOurs: { false })
            }
        }
    }

    @Test("orphans go although the bucket has lost a part of its journal, and no photo is hidden")
    func orphansOfALossyBucket() async throws {
        try await withWorld { world in
            let photo = try await world.send().photo.photo
            _ = try await world.store.delete([photo.thumbnailKey])
            try await world.putOrphan("photos/orphan.jpg")
            let report = try await world.runAudit(over: world.aged, mends: true, isBucketTrusted: { false })
            #expect(report.count(of: .orphanObject) == 1 && report.unmended == 1)
            #expect(report.hiddenPhotos == 0 && report.doubt != nil)
            #expect(try await world.feed().count == 1)
        }
    }

    /// Guard: photos are not hidden where the bucket is unknown, nor beyond the bound
    /// (`PageComparison.mayHide`, `AuditStore.begin`)
    @Test("several runs in a row hide no more photos than one, until few photos lack objects")
    func lastingDoubt() async throws {
        try await withWorld { world in
            try await world.send()
            try await world.send(from: world.bob)
            let lost = try await world.storedKeys()
            let bytes = try await world.store.get(lost[0])
            _ = try await world.store.delete(lost)
            let first = try await world.runAudit(mends: true) { $0.hideCeiling = 1 }
            #expect(first.hiddenPhotos == 1 && first.doubt != nil)
            let second = try await world.runAudit(mends: true) { $0.hideCeiling = 1 }
            #expect(second.hiddenPhotos == 0 && second.doubt != nil)
            #expect(try await world.feed().count == 1)
            // All but one object are there again.
            for key in lost.dropLast() { try await world.store.put(key, bytes, contentType: "image/jpeg") }
            let alive = try await world.feed()[0]
            try await world.store.put(alive.photoKey, bytes, contentType: "image/jpeg")
            _ = try await world.store.delete([alive.thumbnailKey])
            let third = try await world.runAudit(mends: true) { $0.hideCeiling = 1 }
            #expect(third.hiddenPhotos == 0 && third.doubt == nil && third.unmended > 0)
            #expect(try await world.runAudit(mends: true) { $0.hideCeiling = 1 }.hiddenPhotos == 1)
        }
    }

    /// Guard: photos are not hidden where the bucket is unknown, nor beyond the bound
    /// (`PageComparison.mayHide`, `AuditStore.begin`)
    @Test("one run hides no more photos than its ceiling")
    func ceiling() async throws {
        try await withWorld { world in
            try await world.send()
            try await world.send(from: world.bob)
            _ = try await world.store.delete(try await world.storedKeys())
            let report = try await world.runAudit(mends: true) { $0.hideCeiling = 1 }
            #expect(report.hiddenPhotos == 1 && report.doubt != nil && report.unmended > 0)
            #expect(try await world.feed().count == 1)
            #expect(try await world.runAudit(mends: true) { $0.hideCeiling = nil }.hiddenPhotos == 1)
            #expect(try await world.feed().isEmpty)
        }
    }
}

/// Guard: a killed audit is resumed, by one process at a time (`AuditStore.begin`, `.save`)
@Suite("Audits that are cut off")
struct AuditRunTests {
    @Test("an interrupted audit resumes at its last page, and reports all its findings")
    func resumed() async throws {
        try await withWorld { world in
            for name in 0..<9 { try await world.putOrphan("photos/\(name).jpg") }
            let failing = world.aged
            failing.listsBeforeFailing = 4
            await #expect(throws: ObjectStoreError.self) {
                try await world.runAudit(over: failing) { $0.pageSize = 2 }
            }
            let counting = world.aged
            let report = try await world.runAudit(over: counting, resume: true) { $0.pageSize = 2 }
            #expect(report.count(of: .orphanObject) == 9 && report.objects == 9)
            #expect(counting.listed.first != nil && !counting.listed.contains("photos/0.jpg"))
            // The audit was complete, so the next one begins at the first page.
            let next = world.aged
            try await world.runAudit(over: next, resume: true)
            #expect(next.listed.contains("photos/0.jpg"))
        }
    }

    @Test("an audit begins again when the store does not know the saved position")
    func forgottenPlace() async throws {
        try await withWorld { world in
            for name in 0..<5 { try await world.putOrphan("photos/\(name).jpg") }
            let failing = world.aged
            failing.listsBeforeFailing = 4
            _ = try? await world.runAudit(over: failing) { $0.pageSize = 2 }
            let forgetful = world.aged
            forgetful.refusesFirstContinuation = true
            let report = try await world.runAudit(over: forgetful, resume: true) { $0.pageSize = 2 }
            #expect(report.count(of: .orphanObject) == 5 && report.isComplete)
        }
    }

    @Test("only one audit runs at a time; an audit that stalls is taken over and writes no more")
    func oneAtATime() async throws {
        try await withWorld { world in
            let store = AuditStore(postgres: world.postgres, name: "service")
            let first = UUID()
            _ = try await store.begin(holder: first, resume: true)
            await #expect(throws: AuditFailure.underWay) {
                _ = try await store.begin(holder: UUID(), resume: true)
            }
            #expect(try await !store.schedule().isDue)
            try await store.save(AuditPosition(lastKey: "photos/m", continuation: "m"), holder: first)
            #expect(try await store.schedule().lastReport == nil, "it is under way")
            try await world.postgres.execute("UPDATE audit_runs SET lease_until = now()")
            #expect(try await store.schedule().isDue)
            let position = try await store.begin(holder: UUID(), resume: true)
            #expect(position.lastKey == "photos/m" && position.continuation == "m")
            await #expect(throws: AuditFailure.takenOver) { try await store.renew(holder: first) }
            await #expect(throws: AuditFailure.takenOver) { try await store.save(position, holder: first) }
        }
    }

    @Test(
        "the service's own audit runs once in an interval over all instances, and sooner for objects that were too young"
    )
    func hourly() async throws {
        try await withWorld { world in
            let audit = PhotoAudit(
                postgres: world.postgres, objects: world.store, name: "service",
                logger: world.sweeper.logger)
            var settings = world.auditSettings
            settings.mends = true
            let job = AuditJob(audit, settings, every: .seconds(3600), logger: world.sweeper.logger)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<8 { group.addTask { try await job.runOnce() } }
                try await group.waitForAll()
            }
            let wait: SQL = """
                SELECT floor(EXTRACT(EPOCH FROM next_run_at - now()) / 60)::bigint AS count FROM audit_runs
                WHERE finished_at IS NOT NULL AND started_at IS NULL
                """
            #expect(try await world.count(wait) == 59)
            #expect(try await !audit.store.schedule().isDue)
            try await world.putOrphan("photos/orphan.jpg")
            try await world.postgres.execute("UPDATE audit_runs SET next_run_at = now()")
            #expect(try await audit.store.schedule().lastReport?.objects == 0)
            try await job.runOnce()
            #expect(try await world.count(wait) == 10)
            #expect(try await audit.store.schedule().lastReport?.objects == 1)
        }
    }

    @Test("an audit keeps to its rate of requests")
    func pace() async throws {
        let pace = AuditPace(requestsPerSecond: 50) {}
        let began = ContinuousClock.now
        for _ in 0..<11 { try await pace.waitForRequest() }
        #expect(ContinuousClock.now - began >= .milliseconds(195))
    }
}
