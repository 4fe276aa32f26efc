/// Why an object store did not do what it was asked. The texts are for the log and `dayly doctor`, never for
/// a client; they hold no credentials and no signed URL.
package enum ObjectStoreError: Error, Sendable, Hashable {
    /// No such object.
    case notFound
    /// The store cannot be reached, answers too late or fails by its own fault: trying later may help.
    case unavailable(String)
    /// The store refuses: credentials, region, bucket or clock. The text names what mends it.
    case rejected(String)
    /// What came back or was kept is not what was sent.
    case corrupted(String)
}
