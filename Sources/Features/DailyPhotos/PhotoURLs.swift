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

    /// - Parameter now: The database's clock.
    func links(for photo: Photo, now: Date) throws -> PhotoLinks {
        let window = PresignedURLWindow(now: now, maxLifetime: lifetime, objectExpiresAt: photo.expiresAt)
        return PhotoLinks(
            photo: try objects.presignedGet(photo.photoKey, window),
            thumbnail: try objects.presignedGet(photo.thumbnailKey, window), expiresAt: window.expiresAt)
    }
}
