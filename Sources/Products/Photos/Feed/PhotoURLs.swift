import Foundation
import HTTPKit
import ObjectStorage
import Resilience

/// Signed URLs of a photo and its thumbnail.
struct PhotoLinks: Sendable, Equatable {
    let photo: String
    let thumbnail: String
    let expiresAt: Date
}

/// Signs the URLs of photos. Within a window all members get the same URL, so that the caches of phones work. The URLs used
/// last are kept, so that the next reader in the window gets them without a signature.
struct PhotoURLs: Sendable {
    let objects: any ObjectStore
    let lifetime: Duration
    /// A text that changes whenever the URLs of the same photo would change: with the host, the key or the lifetime. It is not
    /// shown to clients.
    let signature: String
    /// A photo takes some 1,000 bytes.
    private let signed = BoundedCache<Objects, PhotoLinks>(capacity: 10_000)

    /// Everything that the URLs of a photo depend on.
    private struct Objects: Hashable, Sendable {
        let photo: ObjectKey
        let thumbnail: ObjectKey
        let window: PresignedURLWindow
    }

    init(objects: any ObjectStore, lifetime: Duration) {
        self.objects = objects
        self.lifetime = lifetime
        let epoch = Self.window(at: Date(timeIntervalSince1970: 0), lifetime)
        let url = (try? objects.presignedGet(ObjectKey("photos/none.jpg"), epoch)) ?? ""
        signature = EntityTag { $0.append(url) }.text
    }

    /// The beginning of the window of URLs that are signed now. A photo's URLs stay the same within a window, until the photo
    /// ends.
    func windowBegin(at now: Date) -> Date {
        Self.window(at: now, lifetime).signedAt
    }

    private static func window(at now: Date, _ lifetime: Duration) -> PresignedURLWindow {
        PresignedURLWindow(now: now, maxLifetime: lifetime, objectExpiresAt: .distantFuture)
    }

    /// - Parameter now: by the database's clock.
    func links(for photo: Photo, now: Date) throws -> PhotoLinks {
        let window = PresignedURLWindow(now: now, maxLifetime: lifetime, objectExpiresAt: photo.expiresAt)
        let key = Objects(photo: photo.photoKey, thumbnail: photo.thumbnailKey, window: window)
        return try signed.value(for: key) {
            PhotoLinks(
                photo: try objects.presignedGet(photo.photoKey, window),
                thumbnail: try objects.presignedGet(photo.thumbnailKey, window), expiresAt: window.expiresAt)
        }
    }
}
