import Auth
import FeatureKit
import Foundation
import Groups
import ObjectStorage
import Postgres

enum PhotoTag {}
/// Identifies a photo from its first attempt on: a UUID v7 (RFC 9562), made when the attempt claims the sender's day.
typealias PhotoID = ID<PhotoTag>

/// An accepted, unexpired photo.
struct Photo: Sendable {
    let id: PhotoID
    let groupID: GroupID
    let senderID: UserID
    /// Nil if the sender has not given a name.
    let senderName: String?
    /// When the photo was accepted. Its lifetime begins here.
    let createdAt: Date
    let expiresAt: Date
    /// In pixels.
    let width: Int
    /// In pixels.
    let height: Int
    let thumbHash: [UInt8]
    let photoKey: ObjectKey
    let thumbnailKey: ObjectKey
}

/// Photos as they were at one instant.
struct PhotoSnapshot: Sendable {
    let photos: [Photo]
    /// The instant, by the database's clock.
    let readAt: Date
}
