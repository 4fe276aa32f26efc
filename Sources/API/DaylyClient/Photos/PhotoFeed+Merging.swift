import DaylyAPI
import Foundation

extension PhotoFeed {
    /// This feed after an answer to its cursor. Photos and removals are applied by id, and the answer's cursor is kept.
    ///
    /// `removed` collects the ids of all photos that are known to be gone. An id is never used again, so an answer that
    /// was on its way while an event removed its photo does not bring the photo back.
    /// - Parameter now: the service's time; photos that have expired by then are left out.
    public func merging(_ changes: PhotoFeed, at now: Date) -> PhotoFeed {
        var feed = self
        feed.cursor = changes.cursor
        for id in changes.removed { feed.remove(id) }
        for photo in changes.photos { feed.insert(photo) }
        return feed.unexpired(at: now)
    }

    /// This feed after an event. The cursor stays, so that the next answer repeats the change, which does no harm.
    public func applying(_ event: DaylyEvent, at now: Date) -> PhotoFeed {
        var feed = self
        switch event {
        case .photoCreated(let created): feed.insert(created.photo)
        case .photoDeleted(let deleted): feed.remove(deleted.photoID)
        default: break
        }
        return feed.unexpired(at: now)
    }

    /// This feed without the photos that have expired.
    public func unexpired(at now: Date) -> PhotoFeed {
        var feed = self
        feed.photos.removeAll { $0.expiresAt <= now }
        return feed
    }

    /// When the next photo expires, so that a screen can remove it in time.
    public var nextExpiry: Date? { photos.map(\.expiresAt).min() }

    private mutating func remove(_ id: ResourceID) {
        photos.removeAll { $0.id == id }
        if !removed.contains(id) { removed.append(id) }
    }

    private mutating func insert(_ photo: Photo) {
        guard !removed.contains(photo.id) else { return }
        photos.removeAll { $0.id == photo.id }
        let place = photos.firstIndex { photo.precedes($0) } ?? photos.endIndex
        photos.insert(photo, at: place)
    }
}

extension Photo {
    /// The order of a feed: oldest first.
    fileprivate func precedes(_ other: Photo) -> Bool {
        createdAt == other.createdAt
            ? id.description < other.id.description : createdAt < other.createdAt
    }
}
