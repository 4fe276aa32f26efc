import DaylyAPI
import Foundation
import Testing

@testable import DaylyClient

extension Photo {
    /// A photo that was accepted `age` seconds before `now`.
    static func sample(
        _ id: ResourceID = ResourceID(UUID()), age: TimeInterval = 0, name: String = "Ada",
        now: Date = Date(timeIntervalSince1970: 1_800_000_000), urlLifetime: TimeInterval = 3600
    ) -> Photo {
        Photo(
            id: id, groupID: ResourceID(UUID()), senderID: ResourceID(UUID()), senderName: name,
            createdAt: now.addingTimeInterval(-age), expiresAt: now.addingTimeInterval(48 * 3600 - age),
            width: 4, height: 3, thumbhash: "", url: "https://bucket.example/\(id)/full",
            thumbnailURL: "https://bucket.example/\(id)/thumbnail",
            urlExpiresAt: now.addingTimeInterval(urlLifetime))
    }
}

@Suite("Merging feeds")
struct PhotoFeedMergingTests {
    let now = Date(timeIntervalSince1970: 1_800_000_000)

    private func feed(_ photos: [Photo], removed: [ResourceID] = [], cursor: String = "1") -> PhotoFeed {
        PhotoFeed(photos: photos, removed: removed, cursor: cursor)
    }

    @Test("an answer adds, replaces and removes by id, oldest first, and brings the next cursor")
    func merging() {
        let old = Photo.sample(age: 30)
        let middle = Photo.sample(age: 20)
        let new = Photo.sample(age: 10)
        var renamed = middle
        renamed.senderName = "Ada L."
        let merged = feed([old, middle]).merging(
            feed([new, renamed], removed: [old.id, old.id, ResourceID(UUID())], cursor: "2"), at: now)
        #expect(merged.photos == [renamed, new])
        #expect(merged.cursor == "2")
    }

    @Test("any order of the same answers gives the same feed")
    func anyOrder() {
        let photos = (0..<4).map { Photo.sample(age: Double($0)) }
        let answers = photos.enumerated().map { index, photo in
            feed([photo], removed: index == 1 ? [photos[2].id] : [], cursor: "9")
        }
        let expected = [photos[3], photos[1], photos[0]]
        #expect(answers.reduce(feed([])) { $0.merging($1, at: now) }.photos == expected)
        #expect(answers.reversed().reduce(feed([])) { $0.merging($1, at: now) }.photos == expected)
    }

    /// Guard: a removed photo does not come back with a late answer (`PhotoFeed.insert`)
    @Test("an answer that was on its way does not bring back a photo that an event removed")
    func lateAnswer() {
        let photo = Photo.sample()
        let deleted = DaylyEvent.photoDeleted(PhotoDeletedEvent(groupID: photo.groupID, photoID: photo.id))
        let merged = feed([photo]).applying(deleted, at: now).merging(feed([photo], cursor: "2"), at: now)
        #expect(merged.photos.isEmpty)
    }

    @Test("a created photo is added once, and its cursor stays")
    func created() {
        let photo = Photo.sample()
        let event = DaylyEvent.photoCreated(PhotoCreatedEvent(groupID: photo.groupID, photo: photo))
        let after = feed([]).applying(event, at: now).applying(event, at: now)
        #expect(after.photos == [photo])
        #expect(after.cursor == "1")
    }

    @Test("expired photos are left out, at the second of their expiry")
    func expired() {
        let photo = Photo.sample()
        #expect(feed([photo]).unexpired(at: photo.expiresAt.addingTimeInterval(-1)).photos == [photo])
        #expect(feed([photo]).unexpired(at: photo.expiresAt).photos.isEmpty)
        #expect(feed([photo]).merging(feed([]), at: photo.expiresAt).photos.isEmpty)
        #expect(feed([Photo.sample(age: 5), photo]).nextExpiry == photo.expiresAt.addingTimeInterval(-5))
    }
}
