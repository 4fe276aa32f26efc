import Auth
import DaylyTesting
import FeatureKit
import Foundation
@testable import Groups
import Logging
import ObjectStorage
import Postgres
import Testing

@testable import DailyPhotos

@Suite("The URLs of a photo")
struct PhotoURLTests {
    private let store = FaultyObjectStore(
        FilesystemObjectStore(
            root: "/nowhere", publicURL: "http://127.0.0.1:8080", secret: Fixtures.secret,
            logger: .silent))
    private let begin = Date(timeIntervalSince1970: 1_700_000_100)

    private func photo(_ name: String = "a", thumbnail: String = "a_t", endsAfter: TimeInterval = 172_800)
        throws
        -> Photo
    {
        Photo(
            id: PhotoID(rawValue: .version7()), groupID: GroupID(rawValue: .version7()),
            senderID: UserID(rawValue: .version7()), senderName: nil, createdAt: begin,
            expiresAt: begin + endsAfter, width: 4, height: 3, thumbHash: [],
            photoKey: try ObjectKey("photos/\(name).jpg"),
            thumbnailKey: try ObjectKey("photos/\(thumbnail).jpg"))
    }

    /// Guard: kept URLs belong to the photo's keys and to the window (`PhotoURLs`)
    @Test("a photo's URLs are signed once in a window, and anew in the next window")
    func onceInAWindow() throws {
        let urls = PhotoURLs(objects: store, lifetime: .seconds(3_600))
        let photo = try photo()
        let before = store.signatures
        let first = try urls.links(for: photo, now: begin)
        #expect(try urls.links(for: photo, now: begin + 899.9) == first)
        #expect(store.signatures == before + 2)
        let next = try urls.links(for: photo, now: begin + 900)
        #expect(next.photo != first.photo && next.thumbnail != first.thumbnail)
        #expect(next.expiresAt == first.expiresAt + 900)
        #expect(store.signatures == before + 4)
        #expect(try urls.links(for: photo, now: begin + 899.9) == first)
    }

    /// Guard: kept URLs belong to the photo's keys and to the window (`PhotoURLs`)
    @Test("a photo with another key or another end never gets the kept URLs")
    func otherPhotos() throws {
        let urls = PhotoURLs(objects: store, lifetime: .seconds(3_600))
        let kept = try urls.links(for: photo(), now: begin)
        for other in [try photo("b"), try photo(thumbnail: "b_t"), try photo(endsAfter: 600)] {
            let links = try urls.links(for: other, now: begin)
            #expect(links != kept)
            #expect(
                try links
                    == PhotoURLs(objects: store, lifetime: .seconds(3_600)).links(for: other, now: begin))
        }
    }
}
