/// The reason why a call of an object store failed. The texts are for the log and `dayly doctor`, never for a client.
/// They hold no credentials and no signed URL.
package enum ObjectStoreError: Error, Sendable, Hashable {
    /// There is no such object.
    case notFound
    /// The store cannot be reached, answers too late or fails through its own fault. A later attempt may succeed.
    case unavailable(String)
    /// The store refuses, and only a change of what the culprit names helps. The text is a clause without a full stop.
    case rejected(String, culprit: Culprit = .other)
    /// The bytes that the store kept or returned differ from the bytes that were sent.
    case corrupted(String)

    /// The part of a store's configuration or surroundings that a refusal is due to.
    package enum Culprit: Sendable, Hashable, CaseIterable {
        /// The bucket does not exist, or its name is not valid.
        case bucket
        case accessKeyID
        /// The access key ID and the secret do not belong together.
        case credentials
        /// The credentials are not valid, or lack a permission.
        case permission
        case region
        /// The server cannot read the signature's scope, which is made of the access key ID and the region.
        case signatureScope
        /// The server redirects: the bucket is at another endpoint, in another region or addressed in another style.
        case address
        case endpoint
        /// The server's certificate was issued for another name.
        case certificateName
        /// The server's certificate is expired, or its authority is not known here.
        case certificate
        /// The file of additional authorities holds no certificate.
        case authorities
        /// This machine's clock.
        case clock
        /// The server has no object versions, and the configuration asks for their deletion.
        case versions
        /// The folder of the store on files.
        case folder
        /// Nothing that a setting could correct.
        case other
    }
}
