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
        let window = PresignedURLWindow(now: now, maxLifetime: lifetime, objectExpiry: photo.expiresAt)
        func sign(_ key: ObjectKey) throws -> String {
            try objects.presignedGet(key, signedAt: window.signedAt, expiresAt: window.expiresAt)
        }
        return PhotoLinks(
            photo: try sign(photo.photoKey), thumbnail: try sign(photo.thumbnailKey), expiresAt: window.expiresAt)
    }
}
