import Crypto
import Foundation
import NIOSSL
import X509

/// A self-signed certificate for `localhost` and its key, made once per process.
package enum TestCertificate {
    private static let key = P256.Signing.PrivateKey()

    /// The certificate that a client must trust.
    package static func pem() throws -> String {
        try certificate.get().serializeAsPEM().pemString
    }

    static func serverConfiguration() throws -> TLSConfiguration {
        let certificate = try NIOSSLCertificate(bytes: Array(try pem().utf8), format: .pem)
        let privateKey = try NIOSSLPrivateKey(bytes: Array(key.pemRepresentation.utf8), format: .pem)
        return .makeServerConfiguration(
            certificateChain: [.certificate(certificate)], privateKey: .privateKey(privateKey))
    }

    private static let certificate = Result {
        let name = try DistinguishedName { CommonName("localhost") }
        return try Certificate(
            version: .v3, serialNumber: Certificate.SerialNumber(),
            publicKey: Certificate.PublicKey(key.publicKey),
            notValidBefore: Date().addingTimeInterval(-3_600),
            notValidAfter: Date().addingTimeInterval(86_400), issuer: name, subject: name,
            signatureAlgorithm: .ecdsaWithSHA256,
            extensions: try Certificate.Extensions {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil))
                SubjectAlternativeNames([.dnsName("localhost")])
            },
            issuerPrivateKey: Certificate.PrivateKey(key))
    }
}
