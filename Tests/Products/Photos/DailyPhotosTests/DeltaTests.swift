import Auth
import DaylyTesting
import FeatureKit
import Foundation
@testable import Groups
import Postgres
import Testing

@testable import DailyPhotos

@Suite("Changes of a feed since a cursor")
struct DeltaTests {
    /// Guard: a changed name is an event in each of the user's groups (`AuthService.update` (`onRename`),
    /// `GroupStore.recordRename`)
    @Test("a snapshot and its changes give the next snapshot, whatever happened in between")
    func sums() async throws {
        try await withWorld { world in
            var clients = [try await Client(world)]
            for step in 0..<120 {
                try await world.doAnything(step)
                if step % 20 == 0 { clients.append(try await Client(world)) }
                for index in clients.indices where Int.random(in: 0..<3) == 0 {
                    try await clients[index].sync(world)
                    let truth = try await Client(world).photos
                    #expect(clients[index].photos == truth, "after step \(step)")
                }
            }
        }
    }

    /// Guard: a delta and its cursor come from one statement (`PhotoStore.changes`)
    @Test("no transaction is seen in part")
    func wholeTransactions() async throws {
        try await withWorld { world in
            let start = try await world.service.feed(group: world.group, reader: world.caller(world.bob)).feed
                .cursor
            let writers = Task {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for writer in 0..<3 {
                        group.addTask {
                            for round in 0..<20 {
                                try await world.postgres.transaction { tx in
                                    try world.groups.requireLocked(tx, world.group)
                                    for half in 0..<2 {
                                        try world.addPhoto(tx, day: writer * 1000 + round * 2 + half)
                                    }
                                }
                            }
                        }
                    }
                    try await group.waitForAll()
                }
            }
            var (cursor, seen) = (start, Set<PhotoID>())
            while seen.count < 120 {
                let delta = try await world.service.changes(
                    since: cursor, group: world.group, reader: world.caller(world.bob))
                let ids = delta.photos.map(\.photo.id)
                #expect(ids.count.isMultiple(of: 2), "half of a transaction")
                #expect(seen.isDisjoint(with: ids), "told twice")
                seen.formUnion(ids)
                cursor = delta.cursor
                if ids.isEmpty { try await Task.sleep(for: .milliseconds(2)) }
            }
            try await writers.value
        }
    }

    /// Guard: a photo that came and went since a cursor is not reported (`PhotoStore.changes`)
    @Test(
        "an expired photo is listed as gone, logged or not; one that came and went is in neither list"
    )
    func expiredAndPassing() async throws {
        try await withWorld(limits: PhotoSettings(lifetime: .seconds(1))) { world in
            let start = try await world.service.feed(group: world.group, reader: world.caller(world.bob)).feed
                .cursor
            let photo = try await world.send().photo.photo.id
            let middle = try await world.service.feed(group: world.group, reader: world.caller(world.bob))
                .feed.cursor
            try await Task.sleep(for: .seconds(1.1))
            for isAnnounced in [false, true] {
                if isAnnounced {
                    try await PhotoExpiryEvents(postgres: world.postgres, groups: world.groups).runOnce()
                }
                let gone = try await world.service.changes(
                    since: middle, group: world.group, reader: world.caller(world.bob))
                #expect(gone.removed == [photo] && gone.photos.isEmpty, "announced: \(isAnnounced)")
                let passed = try await world.service.changes(
                    since: start, group: world.group, reader: world.caller(world.bob))
                #expect(passed.removed == [] && passed.photos.isEmpty, "announced: \(isAnnounced)")
            }
        }
    }

    /// Guard: a photo that came and went since a cursor is not reported (`PhotoStore.changes`)
    @Test("a member who left and came back sees the present photos, and no changes from their absence")
    func returned() async throws {
        try await withWorld { world in
            let kept = try await world.send().photo.photo.id
            let cursor = try await world.service.feed(group: world.group, reader: world.caller(world.bob))
                .feed.cursor
            try await world.leave(world.bob)
            let (passed, stays) = (try await world.newPhoto(), try await world.newPhoto())
            try await world.service.delete(passed, sender: world.alice)
            await #expect(throws: PhotoError.notFound) {
                try await world.service.changes(
                    since: cursor, group: world.group, reader: world.caller(world.bob))
            }
            try await world.join(world.bob, world.group)
            try await world.service.delete(kept, sender: world.alice)
            let delta = try await world.service.changes(
                since: cursor, group: world.group, reader: world.caller(world.bob))
            #expect(delta.photos.map(\.photo.id) == [stays])
            #expect(delta.removed == [kept])
        }
    }

    /// Guard: a cursor before a gap, or of a lost future, is refused (`LogPosition.isKnown`)
    /// Guard: a cursor is its user's and its group's (`GroupCursors`)
    @Test("a cursor that is forgotten, forged, another reader's or from a lost future is expired")
    func expiredCursors() async throws {
        try await withWorld { world in
            try await world.newPhoto()
            let other = try await world.group(of: [world.alice, world.bob])
            let good = try await world.service.feed(group: world.group, reader: world.caller(world.bob)).feed
                .cursor
            let foreign = try await world.service.feed(group: other, reader: world.caller(world.bob)).feed
                .cursor
            let anothers = try await world.service.feed(group: world.group, reader: world.caller(world.alice))
                .feed.cursor
            func status(_ cursor: String, _ reader: UserID? = nil) async throws -> PhotoError? {
                do {
                    _ = try await world.service.changes(
                        since: cursor, group: world.group, reader: world.caller(reader ?? world.bob))
                    return nil
                } catch let error as PhotoError {
                    return error
                }
            }
            #expect(try await status(good) == nil)
            let flipped = good.dropLast() + (good.hasSuffix("A") ? "B" : "A")
            for bad in [
                "", "start", "%00", UUID().uuidString, good + "A", String(flipped), foreign, anothers,
            ] {
                #expect(try await status(bad) == .cursorExpired, "\(bad)")
                #expect(try await status(bad, UserID(rawValue: .version7())) == .notFound, "\(bad)")
            }
            // A backup from before the photo is restored, and another photo takes the number.
            try await world.postgres.execute("DELETE FROM group_events")
            try await world.postgres.execute("UPDATE groups SET last_event = 0 WHERE id = \(world.group)")
            #expect(try await status(good) == .cursorExpired)
            try await world.newPhoto()
            #expect(try await status(good) == .cursorExpired)
        }
    }

    /// Guard: a cursor before a gap, or of a lost future, is refused (`LogPosition.isKnown`)
    @Test("a cursor from before the kept log is expired, and one at the log's end never is")
    func forgotten() async throws {
        try await withWorld { world in
            var cursors: [String] = []
            for _ in 0..<4 {
                cursors.append(
                    try await world.service.feed(group: world.group, reader: world.caller(world.bob)).feed
                        .cursor)
                try await world.newPhoto()
            }
            cursors.append(
                try await world.service.feed(group: world.group, reader: world.caller(world.bob)).feed.cursor)
            func isExpired(_ cursor: String) async throws -> Bool {
                do {
                    _ = try await world.service.changes(
                        since: cursor, group: world.group, reader: world.caller(world.bob))
                    return false
                } catch PhotoError.cursorExpired {
                    return true
                }
            }
            // The order is mixed, as when sweepers skip each other's locked rows.
            try await world.postgres.execute("DELETE FROM group_events WHERE number = 3")
            var expired: [Bool] = []
            for cursor in cursors { expired.append(try await isExpired(cursor)) }
            // The event after the deleted one knows the position.
            #expect(expired == [true, true, true, false, false])
            try await world.postgres.execute("DELETE FROM group_events")
            #expect(try await isExpired(cursors[3]))
            #expect(try await isExpired(cursors[4]) == false)
        }
    }
}

/// A phone: its photos with their senders' names, and its cursor.
private struct Client {
    var photos: [PhotoID: String]
    var cursor: String

    init(_ world: PhotoWorld) async throws {
        let feed = try await world.service.feed(group: world.group, reader: world.caller(world.bob)).feed
        photos = Dictionary(uniqueKeysWithValues: feed.photos.map(Self.entry))
        cursor = feed.cursor
    }

    mutating func sync(_ world: PhotoWorld) async throws {
        let delta = try await world.service.changes(
            since: cursor, group: world.group, reader: world.caller(world.bob))
        for photo in delta.photos { photos[photo.photo.id] = photo.photo.senderName ?? "User" }
        for id in delta.removed { photos[id] = nil }
        cursor = delta.cursor
    }

    private static func entry(_ photo: VisiblePhoto) -> (PhotoID, String) {
        (photo.photo.id, photo.photo.senderName ?? "User")
    }
}

extension PhotoWorld {
    /// A live photo, by the statements that uploads use, without a picture.
    @discardableResult
    func addPhoto(_ tx: PostgresTransaction, day: Int, from sender: UserID? = nil) throws -> PhotoID {
        let (id, name) = (PhotoID(rawValue: .version7()), UUID().uuidString)
        try tx.execute(
            """
            INSERT INTO photos (id, group_id, sender_id, sent_on, lease_until, width, height, thumbhash,
                photo_key, thumbnail_key)
            VALUES (\(id), \(group), \(sender ?? alice), current_date + \(day)::integer, now(), 64, 48, '\\x01',
                \("photos/\(name).jpg"), \("photos/\(name)_t.jpg"))
            """)
        try tx.execute(
            """
            UPDATE photos SET lease_until = NULL, created_at = now(), expires_at = now() + interval '48 hours'
            WHERE id = \(id)
            """)
        return id
    }

    @discardableResult
    func newPhoto(from sender: UserID? = nil) async throws -> PhotoID {
        try await postgres.transaction { tx in
            try addPhoto(tx, day: Int.random(in: 1...1_000_000), from: sender)
        }
    }

    /// Makes one random change that members see.
    fileprivate func doAnything(_ step: Int) async throws {
        let sender = [alice, bob].randomElement() ?? alice
        switch Int.random(in: 0..<7) {
        case 0...2: try await newPhoto(from: sender)
        case 3:
            let mine = try await feed().filter { $0.senderID == sender }
            if let photo = mine.randomElement() { try await service.delete(photo.id, sender: sender) }
        case 4:
            guard let photo = try await feed().randomElement() else { return }
            try await postgres.execute("UPDATE photos SET expires_at = now() WHERE id = \(photo.id)")
        case 5:
            try await postgres.transaction { tx in
                try tx.execute("UPDATE users SET first_name = \("N\(step)") WHERE id = \(sender)")
                try GroupStore(postgres: postgres).recordRename(tx, of: sender)
            }
        default:
            try await postgres.execute("DELETE FROM photos WHERE expires_at <= now()")
        }
    }
}
