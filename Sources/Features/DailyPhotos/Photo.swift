import FeatureKit
import Auth
import Foundation
import Groups
import ObjectStorage
import Postgres

package enum PhotoTag {}
/// A photo, from its first attempt on: a UUID v7 made when its upload was admitted.
package typealias PhotoID = ID<PhotoTag>

/// An accepted, unexpired photo.
package struct Photo: Sendable {
    package let id: PhotoID
    package let groupID: GroupID
    package let senderID: UserID
    /// Nil where the sender has given none.
    package let senderName: String?
    /// The acceptance: its lifetime starts here.
    package let createdAt: Date
    package let expiresAt: Date
    /// Pixels.
    package let width: Int
    package let height: Int
    package let thumbHash: [UInt8]
    package let photoKey: ObjectKey
    package let thumbnailKey: ObjectKey
}

/// Photos as they stood at one instant of the database's clock.
package struct PhotoSnapshot: Sendable {
    package let photos: [Photo]
    package let readAt: Date
}

extension Duration {
    /// Seconds, with their fraction.
    var seconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}
