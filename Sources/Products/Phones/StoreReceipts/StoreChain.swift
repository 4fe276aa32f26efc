import SwiftASN1
import X509

/// Apple's marks of certificates: the extensions by which they say what they are for.
package enum AppleMark {
    /// The mark of certificates that sign receipts of the App Store.
    package static let leaf: ASN1ObjectIdentifier = [1, 2, 840, 113_635, 100, 6, 11, 1]
    /// The mark of the intermediate authority for developers' services.
    package static let intermediate: ASN1ObjectIdentifier = [1, 2, 840, 113_635, 100, 6, 2, 1]
}

/// Accepts the certificates that the App Store sends, and no others: a root issues certificates for many purposes.
struct StoreChainPolicy: VerifierPolicy {
    /// The chain as it was sent: leaf, intermediate, root.
    let sent: [Certificate]

    var verifyingCriticalExtensions: [ASN1ObjectIdentifier] { [AppleMark.leaf, AppleMark.intermediate] }

    func chainMeetsPolicyRequirements(chain: UnverifiedCertificateChain) -> PolicyEvaluationResult {
        guard chain.elementsEqual(sent) else {
            return .failsToMeetPolicy(reason: "the chain is not the one that was sent")
        }
        guard chain[0].extensions[oid: AppleMark.leaf] != nil,
            chain[1].extensions[oid: AppleMark.intermediate] != nil
        else {
            return .failsToMeetPolicy(reason: "a certificate is not one of the App Store's")
        }
        return .meetsPolicy
    }
}
