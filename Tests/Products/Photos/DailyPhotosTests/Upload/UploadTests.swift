import DaylyTesting
import FeatureKit
import Foundation
@testable import Groups
import NIOCore
import ObjectStorage
import PhotoWorkers
import Postgres
import Testing

@testable import DailyPhotos

@Suite struct UploadTests {
    @Test("an accepted photo is in the feed, with both its objects and a lifetime")
    func accepted() async throws {
        try await withWorld { world in
            let sent = try await world.send()
            #expect(sent.isNew)
            let feed = try await world.feed()
            #expect(feed.map(\.id) == [sent.photo.photo.id])
            let photo = try #require(feed.first)
            #expect(photo.width == 64 && photo.height == 48)
            #expect(photo.expiresAt.timeIntervalSince(photo.createdAt) == 48 * 3600)
            #expect(try await world.storedKeys().count == 2)
            #expect(try await world.store.get(photo.photoKey).readableBytes > 0)
            #expect(try await world.runAudit().findings.isEmpty)
        }
    }

    @Test("of fifty uploads at once for one day, one is accepted, and the others leave nothing behind")
    func race() async throws {
        try await withWorld { world in
            let outcomes = await withTaskGroup(of: Result<Bool, any Error>.self) { tasks in
                for seed in 0..<50 {
                    tasks.addTask {
                        do {
                            return .success(try await world.send(Pictures.png(seed: seed)).isNew)
                        } catch { return .failure(error) }
                    }
                }
                return await tasks.reduce(into: []) { $0.append($1) }
            }
            let accepted = outcomes.filter { (try? $0.get()) == true }
            #expect(accepted.count == 1)
            for case .failure(let error) in outcomes {
                switch error as? PhotoError {
                case .alreadySentToday, .uploadInProgress: break
                default: Issue.record("unexpected: \(error)")
                }
            }
            #expect(outcomes.count == 50)
            let rows = try await world.count("SELECT count(*) FROM photos")
            #expect(rows == 1)
            let keys = try await world.storedKeys()
            #expect(keys.count == 2)
        }
    }

    @Test("of claims that race for one day, one wins, and none fails with an error")
    func claimRace() async throws {
        try await withWorld { world in
            // The slot exists, as after a first photo, because inserting it would make the claims wait for each other.
            try await world.postgres.execute(
                """
                INSERT INTO photo_slots (group_id, sender_id, last_sent_on)
                VALUES (\(world.group), \(world.alice), current_date - 2)
                """)
            let wins = try await withThrowingTaskGroup(of: Bool.self) { tasks in
                for _ in 0..<20 {
                    tasks.addTask {
                        do {
                            _ = try await world.claim(world.attempt())
                            return true
                        } catch is UploadRefusal { return false }
                    }
                }
                return try await tasks.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(wins == 1)
        }
    }

    /// Guard: the bytes of a repeated key are compared (`PhotoService.answer`)
    @Test("the same key with the same bytes gives the same photo, and with other bytes is refused")
    func sameKey() async throws {
        try await withWorld { world in
            let first = try await world.send(key: "k1")
            let again = try await world.send(key: "k1")
            #expect(again.photo.photo.id == first.photo.photo.id)
            #expect(!again.isNew)
            await #expect(throws: PhotoError.idempotencyKeyReused) {
                try await world.send(Pictures.png(seed: 9), key: "k1")
            }
            #expect(try await world.storedKeys().count == 2)
        }
    }

    @Test("a key is known per sender")
    func keyPerSender() async throws {
        try await withWorld { world in
            let first = try await world.send(key: "k1")
            let other = try await world.send(Pictures.png(seed: 9), key: "k1", from: world.bob)
            #expect(other.isNew && other.photo.photo.id != first.photo.photo.id)
        }
    }

    /// Guard: an upload is judged in one snapshot (`UploadStore.decision`)
    @Test("one key from many connections at once makes one photo")
    func sameKeyRace() async throws {
        try await withWorld { world in
            let outcomes = await withTaskGroup(of: Result<PhotoID, any Error>.self) { tasks in
                for _ in 0..<20 {
                    tasks.addTask {
                        do { return .success(try await world.send(key: "k1").photo.photo.id) } catch {
                            return .failure(error)
                        }
                    }
                }
                return await tasks.reduce(into: []) { $0.append($1) }
            }
            let ids = Set(outcomes.compactMap { try? $0.get() })
            #expect(ids.count == 1)
            for case .failure(let error) in outcomes {
                guard case .uploadInProgress = error as? PhotoError else {
                    Issue.record("unexpected: \(error)")
                    continue
                }
            }
        }
    }

    @Test("the key of a deleted or expired photo answers that it is gone, and the day stays used")
    func goneKey() async throws {
        try await withWorld { world in
            let sent = try await world.send(key: "k1")
            try await world.service.delete(sent.photo.photo.id, sender: world.alice)
            await #expect(throws: PhotoError.photoGone) { try await world.send(key: "k1") }
            try await world.sweeper.runOnce()
            await #expect(throws: PhotoError.photoGone) { try await world.send(key: "k1") }
            await #expect { try await world.send(key: "k2") } throws: { alreadySent($0) }
        }
    }

    @Test("when the store fails, the upload is 503, the day stays unused and no object remains")
    func storeFails() async throws {
        try await withWorld { world in
            world.store.set { $0.failPuts = true }
            await #expect(throws: PhotoError.storageUnavailable) { try await world.send(key: "k1") }
            let rows = try await world.count("SELECT count(*) FROM photos")
            #expect(rows == 0)
            world.store.set { $0.failPuts = false }
            let retried = try await world.send(key: "k1")
            #expect(retried.isNew)
        }
    }

    @Test("a PUT whose reply was lost leaves no object behind")
    func lostReply() async throws {
        try await withWorld { world in
            world.store.set { $0.loseReplies = true }
            await #expect(throws: PhotoError.storageUnavailable) { try await world.send() }
            try await world.sweeper.runOnce()
            #expect(try await world.storedKeys().isEmpty)
        }
    }

    /// Guard: objects of an abandoned upload are deleted twice (`forget_photo_objects`,
    /// `ForgettingStore.scheduleSecondPass`)
    @Test("a PUT after the first deletion of an abandoned upload is undone by the second deletion")
    func latePut() async throws {
        try await withTravellingWorld { world, clock in
            let claim = try await world.claim(world.attempt())
            try await world.uploads.abandon(claim)
            try await world.sweeper.runOnce()
            try await world.store.put(claim.photoKey, ByteBuffer(string: "late"), contentType: "image/jpeg")
            try await world.sweeper.runOnce()
            let late = try await world.storedKeys()
            #expect(late == [claim.photoKey])
            try await clock.advance(by: .seconds(120))
            try await world.sweeper.runOnce()
            #expect(try await world.storedKeys().isEmpty)
            #expect(try await world.count("SELECT count(*) FROM stored_objects") == 0)
        }
    }

    @Test("a process killed after its claim blocks the day for its lease only")
    func killedAfterClaim() async throws {
        try await withWorld { world in
            let claim = try await world.claim(world.attempt(key: "k1"))
            try await world.store.put(claim.photoKey, ByteBuffer(string: "half"), contentType: "image/jpeg")
            await #expect { try await world.send(key: "k1") } throws: { inProgress($0) }
            await #expect { try await world.send(key: "k2") } throws: { inProgress($0) }
            #expect(try await world.feed().isEmpty)
            try await world.endLeases()
            #expect(try await world.send(key: "k1").isNew)
            try await world.sweeper.runOnce()
            #expect(try await world.storedKeys().count == 2)
            #expect(try await world.store.head(claim.photoKey) == nil)
        }
    }

    @Test("the sweeper frees the day of an abandoned upload")
    func reaper() async throws {
        try await withWorld { world in
            _ = try await world.claim(world.attempt())
            try await world.endLeases()
            #expect(try await world.sweeper.runOnce().abandonedUploads == 1)
            #expect(try await world.count("SELECT count(*) FROM photos") == 0)
            #expect(try await world.send().isNew)
        }
    }

    /// Guard: an acceptance needs its lease (`UploadStore.accept`)
    @Test("an acceptance after the lease is refused")
    func lateAcceptance() async throws {
        try await withWorld { world in
            let claim = try await world.claim(world.attempt())
            try await world.endLeases()
            await #expect(throws: PhotoError.attemptLost) {
                _ = try await world.uploads.accept(claim, of: world.attempt())
            }
            #expect(try await world.feed().isEmpty)
        }
    }

    /// Guard: an acceptance needs both objects unclaimed (`UploadStore.accept`)
    @Test("an acceptance is refused when a sweeper has taken an object of it")
    func sweptBeforeAcceptance() async throws {
        try await withWorld { world in
            let claim = try await world.claim(world.attempt())
            try await world.postgres.execute(
                "UPDATE stored_objects SET claimed_until = now() WHERE key = \(claim.photoKey.rawValue)")
            await #expect(throws: PhotoError.attemptLost) {
                _ = try await world.uploads.accept(claim, of: world.attempt())
            }
        }
    }

    /// Guard: membership is checked again before a photo becomes visible (`UploadStore.accept`)
    @Test("a member who is removed while the photo is stored does not send it")
    func removedMeanwhile() async throws {
        try await withWorld { world in
            world.store.set { $0.beforePut = { try? await world.leave(world.alice) } }
            await #expect(throws: GroupError.self) { try await world.send() }
            try await world.sweeper.runOnce()
            #expect(try await world.count("SELECT count(*) FROM photos") == 0)
            #expect(try await world.storedKeys().isEmpty)
        }
    }

    /// Guard: an acceptance takes the group's row before the membership's (`UploadStore.accept`)
    @Test("an acceptance locks the group before the membership, so that a removal goes first")
    func acceptanceOrder() async throws {
        try await withWorld { world in
            let claim = try await world.claim(world.attempt())
            let (held, hold) = AsyncStream<Void>.makeStream()
            async let removal: Void = world.postgres.transaction { tx in
                try tx.execute("SELECT FROM groups WHERE id = \(world.group) FOR UPDATE")
                hold.yield()
                let deadline = ContinuousClock.now + .seconds(10)
                var waiting = 0
                while waiting == 0, ContinuousClock.now < deadline {
                    usleep(5_000)
                    try tx.execute("SELECT pg_stat_clear_snapshot()")
                    waiting =
                        try tx.first(
                            """
                            SELECT count(*) AS count FROM pg_locks JOIN pg_stat_activity USING (pid)
                            WHERE NOT granted AND datname = current_database()
                            """)?.get("count") ?? 0
                }
                try #require(waiting == 1)
                try tx.execute("SET LOCAL lock_timeout = '500ms'")
                try tx.execute("DELETE FROM group_members WHERE user_id = \(world.alice)")
            }
            for await _ in held { break }
            await #expect(throws: GroupError.self) {
                _ = try await world.uploads.accept(claim, of: world.attempt())
            }
            try await removal
        }
    }

    /// Guard: one photo per sender, group and day in the schema (`photos_one_per_day`)
    @Test("the schema keeps a second photo of a sender's day out of a group")
    func onePerDay() async throws {
        try await withWorld { world in
            try await world.send()
            await #expect(throws: PostgresError.self) {
                try await world.postgres.execute(
                    """
                    INSERT INTO photos (id, group_id, sender_id, sent_on, expires_at, width, height, thumbhash,
                                        photo_key, thumbnail_key)
                    SELECT gen_random_uuid(), group_id, sender_id, sent_on, expires_at, width, height, thumbhash,
                           'photos/x', 'photos/y'
                    FROM photos
                    """)
            }
        }
    }

    @Test("bytes that are not a picture are refused and do not use up the day")
    func noPicture() async throws {
        try await withWorld { world in
            await #expect(throws: PhotoError.unsupportedMediaType) {
                try await world.send(Array("hello".utf8))
            }
            let half = Pictures.png(width: 200, height: 200)
            await #expect(throws: PhotoError.unreadableImage) {
                try await world.send(Array(half.prefix(half.count / 2)))
            }
            let retried = try await world.send()
            #expect(retried.isNew)
        }
    }

    @Test("the refusal of a format names all accepted formats", arguments: PictureFormat.allCases)
    func formatNames(format: PictureFormat) {
        // HEIC is the kind of HEIF that people know.
        let name = format == .heif ? "heic" : format.rawValue
        #expect(PhotoError.unsupportedMediaType.problem.detail.lowercased().contains(name))
    }

    @Test("an upload that cannot succeed is refused before its bytes are read")
    func refusedBeforeReading() async throws {
        try await withWorld { world in
            try await world.send()
            await #expect {
                try await world.service.upload(to: world.group, from: world.alice, key: nil) {
                    Issue.record("the body was read")
                    return try .of(ByteBuffer())
                }
            } throws: {
                alreadySent($0)
            }
        }
    }

    private func alreadySent(_ error: any Error) -> Bool {
        if case .alreadySentToday = error as? PhotoError { true } else { false }
    }

    private func inProgress(_ error: any Error) -> Bool {
        if case .uploadInProgress = error as? PhotoError { true } else { false }
    }
}
