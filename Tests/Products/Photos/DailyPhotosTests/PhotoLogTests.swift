import Auth
import DaylyTesting
import FeatureKit
import Foundation
@testable import Groups
import Postgres
import Testing

@testable import DailyPhotos

@Suite("Photos in their group's log")
struct PhotoLogTests {
    @Test("accepting and deleting a photo are each logged once, in the same transaction")
    func acceptedAndDeleted() async throws {
        try await withWorld { world in
            let first = try await world.send().photo.photo.id
            let second = try await world.send(from: world.bob).photo.photo.id
            try await world.service.delete(first, sender: world.alice)
            #expect(
                try await world.log() == [
                    Logged(1, "photo_added", first), Logged(2, "photo_added", second),
                    Logged(3, "photo_removed", first),
                ])
            await #expect(throws: PhotoError.notFound) {
                try await world.service.delete(first, sender: world.alice)
            }
            #expect(try await world.log().count == 3)
        }
    }

    @Test("an upload that is not accepted leaves nothing in the log and takes no number")
    func refused() async throws {
        try await withWorld { world in
            let attempt = world.attempt()
            let claim = try await world.claim(attempt)
            try await world.endLeases()
            await #expect(throws: PhotoError.attemptLost) {
                try await world.uploads.accept(claim, of: attempt)
            }
            let late = try await world.claim(attempt)
            // A sweeper holds its objects. The acceptance notices it after it has made the row live.
            try await world.postgres.execute(
                "UPDATE stored_objects SET claimed_until = now() + interval '1 minute'")
            await #expect(throws: PhotoError.attemptLost) {
                try await world.uploads.accept(late, of: attempt)
            }
            #expect(try await world.log() == [])
            #expect(try await world.count("SELECT sum(last_event) AS count FROM groups") == 0)
        }
    }

    /// Guard: an expiry is an event (`PhotoExpiryEvents`)
    @Test("an expiry is logged once, whoever notices it, and before the row is deleted")
    func expired() async throws {
        try await withWorld(limits: PhotoSettings(lifetime: .seconds(4))) { world in
            let sent = [
                try await world.send().photo.photo.id, try await world.send(from: world.bob).photo.photo.id,
            ]
            let announcements = PhotoExpiryEvents(
                postgres: world.postgres, groups: world.groups, batchSize: 1)
            #expect(try await announcements.runOnce() == 0)
            try await Task.sleep(for: .seconds(4.1))
            #expect(try await world.feed().isEmpty)
            #expect(try await world.log().count == 2, "nobody has told of the end yet")
            let told = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<4 { group.addTask { try await announcements.runOnce() } }
                return try await group.reduce(0, +)
            }
            #expect(told <= 2)
            try await announcements.runOnce()
            let removals = try await world.log().dropFirst(2)
            #expect(removals.map(\.number) == [3, 4])
            #expect(removals.allSatisfy { $0.kind == "photo_removed" })
            #expect(Set(removals.map(\.photo)) == Set(sent))
            try await world.postgres.execute("DELETE FROM photos")
            #expect(try await world.log().count == 4)
        }
    }

    @Test("a photo's end is logged, whether it is hidden, its sender's account is deleted or its row is")
    func everyEnd() async throws {
        try await withWorld { world in
            let hidden = try await world.send().photo.photo.id
            try await world.postgres.execute("UPDATE photos SET expires_at = now() WHERE id = \(hidden)")
            let orphaned = try await world.send(from: world.bob).photo.photo.id
            try await world.postgres.execute("DELETE FROM users WHERE id = \(world.bob)")
            try await world.postgres.execute("DELETE FROM photos")
            #expect(
                try await world.log() == [
                    Logged(1, "photo_added", hidden), Logged(2, "photo_removed", hidden),
                    Logged(3, "photo_added", orphaned), Logged(4, "photo_removed", orphaned),
                ])
            try await world.postgres.execute("DELETE FROM groups")
            #expect(try await world.log() == [])
        }
    }

    @Test("uploads and members' changes at once leave no gap or duplicate in the numbers, and no deadlock")
    func atOnce() async throws {
        try await withWorld { world in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for sender in [world.alice, world.bob] {
                    group.addTask {
                        for _ in 0..<15 {
                            let attempt = world.attempt(from: sender)
                            let claim = try await world.claim(attempt)
                            _ = try await world.uploads.accept(claim, of: attempt)
                            try await world.service.delete(claim.photoID, sender: sender)
                            try await world.forgetDays(of: sender)
                        }
                    }
                }
                group.addTask {
                    let accounts = try await Fixtures.accounts(world.postgres)
                    for name in 0..<30 {
                        try await world.postgres.transaction { tx in
                            let user = try accounts.requireLocked(tx, world.alice)
                            try tx.execute(
                                "UPDATE users SET first_name = \("A\(name)") WHERE id = \(user.id)")
                            try GroupStore(postgres: world.postgres).recordRename(tx, of: world.alice)
                        }
                    }
                }
                try await group.waitForAll()
            }
            // Every change has taken one number, those included that a later rename replaced.
            #expect(try await world.log().last?.number == 90)
            #expect(try await world.count("SELECT sum(skipped + 1) AS count FROM group_events") == 90)
            let deadlocks = try await world.count(
                "SELECT deadlocks AS count FROM pg_stat_database WHERE datname = current_database()")
            #expect(deadlocks == 0)
        }
    }
}

struct Logged: Equatable {
    let number: Int
    let kind: String
    let photo: PhotoID?

    init(_ number: Int, _ kind: String, _ photo: PhotoID?) {
        (self.number, self.kind, self.photo) = (number, kind, photo)
    }
}

extension PhotoWorld {
    func log() async throws -> [Logged] {
        try await postgres.query("SELECT number, kind, photo_id FROM group_events ORDER BY number").map {
            Logged(try $0.get("number"), try $0.get("kind"), try $0.get("photo_id"))
        }
    }

    /// Lets the sender send again today.
    func forgetDays(of sender: UserID) async throws {
        try await postgres.execute("DELETE FROM photos WHERE sender_id = \(sender)")
        try await postgres.execute(
            "UPDATE photo_slots SET last_sent_on = NULL WHERE sender_id = \(sender)")
    }
}
