/// What lies where in the bucket, beside the photos.
enum BucketLayout {
    /// What a database that went back in time is told by: `Restoration`.
    static let journal = LifecycleNeeds.service + "journal/"
}
