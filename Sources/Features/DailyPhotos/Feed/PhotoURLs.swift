import Foundation
import ObjectStorage

/// Signed URLs of a photo and its thumbnail.
struct PhotoLinks: Sendable {
    let photo: String
    let thumbnail: String
    let expiresAt: Date
}

/// Signs what members may fetch. Within a window everybody gets the same URL, so that phones' caches hit.
struct PhotoURLs: Sendable {
    let objects: any ObjectStore
    let lifetime: Duration
    /// Differs where the same photo's URLs would: by host, by key, by lifetime. Not for showing.
    let signature: String

    init(objects: any ObjectStore, lifetime: Duration) {
        self.objects = objects
        self.lifetime = lifetime
        let epoch = Self.window(at: Date(timeIntervalSince1970: 0), lifetime)
        signature = (try? objects.presignedGet(ObjectKey("photos/none.jpg"), epoch)) ?? ""
    }

    /// When the URLs that are signed now begin: they are the same until that is another moment, or the photo ends.
    func windowBegin(at now: Date) -> Date {
        Self.window(at: now, lifetime).signedAt
    }

    private static func window(at now: Date, _ lifetime: Duration) -> PresignedURLWindow {
        PresignedURLWindow(now: now, maxLifetime: lifetime, objectExpiresAt: .distantFuture)
    }

    /// - Parameter now: The database's clock.
    func links(for photo: Photo, now: Date) throws -> PhotoLinks {
        let window = PresignedURLWindow(now: now, maxLifetime: lifetime, objectExpiresAt: photo.expiresAt)
        return PhotoLinks(
            photo: try objects.presignedGet(photo.photoKey, window),
            thumbnail: try objects.presignedGet(photo.thumbnailKey, window), expiresAt: window.expiresAt)
    }
}
