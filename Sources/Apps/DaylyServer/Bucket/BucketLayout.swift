/// The prefixes of the bucket's keys; storage/README.md describes them.
enum BucketLayout {
    static let photos = "photos/"
    /// The service's own objects. No lifecycle rule may delete them.
    static let service = "dayly/"
    /// Probe objects, which `dayly doctor` puts and deletes.
    static let doctor = service + "doctor/"
    /// The journal of erasures, from which `Restoration` learns that the database went back in time.
    static let journal = service + "journal/"
}
