import SwiftASN1
import X509

/// Accepts the certificates that the App Store sends, and no others: a root issues certificates for many purposes.
struct StoreChainPolicy: VerifierPolicy {
    /// Apple's mark of the certificates that sign receipts of the App Store.
    static let leafMark: ASN1ObjectIdentifier = [1, 2, 840, 113_635, 100, 6, 11, 1]
    /// Apple's mark of the intermediate authority for developers' services.
    static let intermediateMark: ASN1ObjectIdentifier = [1, 2, 840, 113_635, 100, 6, 2, 1]

    /// The chain as it was sent: leaf, intermediate, root.
    let sent: [Certificate]

    var verifyingCriticalExtensions: [ASN1ObjectIdentifier] { [Self.leafMark, Self.intermediateMark] }

    func chainMeetsPolicyRequirements(chain: UnverifiedCertificateChain) -> PolicyEvaluationResult {
        guard chain.elementsEqual(sent) else {
            return .failsToMeetPolicy(reason: "the chain is not the one that was sent")
        }
        guard chain[0].extensions[oid: Self.leafMark] != nil,
            chain[1].extensions[oid: Self.intermediateMark] != nil
        else {
            return .failsToMeetPolicy(reason: "a certificate is not one of the App Store's")
        }
        return .meetsPolicy
    }
}
