/// What lies where in the bucket.
package enum BucketLayout {
    /// Photos and thumbnails. Everything under it has a row.
    package static let photos = "photos/"
    /// What the service keeps for itself. Nothing under it has a row; no lifecycle rule may touch it.
    package static let service = "dayly/"
    /// What a database that went back in time is told by: `Restoration`.
    package static let journal = service + "journal/"
}
