import Auth
import FeatureKit
import Foundation
import Groups
import ObjectStorage
import Postgres

package enum PhotoTag {}
/// Identifies a photo from its first attempt on: a UUID v7 (RFC 9562), made when the attempt claims the sender's day.
package typealias PhotoID = ID<PhotoTag>

/// An accepted, unexpired photo.
package struct Photo: Sendable {
    package let id: PhotoID
    package let groupID: GroupID
    package let senderID: UserID
    /// Nil if the sender has not given a name.
    package let senderName: String?
    /// When the photo was accepted. Its lifetime begins here.
    package let createdAt: Date
    package let expiresAt: Date
    /// In pixels.
    package let width: Int
    /// In pixels.
    package let height: Int
    package let thumbHash: [UInt8]
    package let photoKey: ObjectKey
    package let thumbnailKey: ObjectKey
}

/// Photos as they were at one instant.
package struct PhotoSnapshot: Sendable {
    package let photos: [Photo]
    /// The instant, by the database's clock.
    package let readAt: Date
}
