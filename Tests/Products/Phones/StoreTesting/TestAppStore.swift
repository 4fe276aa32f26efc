import Crypto
import Foundation
import KeyDerivation
import StoreReceipts
import SwiftASN1
import X509

/// An App Store with a certificate authority of its own. A test changes one thing about it to see what a verifier refuses.
package struct TestAppStore: Sendable {
    package static let bundleID = "app.dayly.test"

    package let root: Authority
    package let intermediate: Authority
    package let leaf: Authority

    /// A certificate and its key.
    package struct Authority: Sendable {
        package let certificate: Certificate
        package let key: P256.Signing.PrivateKey
        let name: DistinguishedName
    }

    /// The difference of a store from Apple's.
    package struct Fault: Sendable {
        package var leafHasMark = true
        package var intermediateHasMark = true
        package var intermediateIsAuthority = true
        /// When the leaf begins and ends to be valid.
        package var leafValidity = Date(timeIntervalSince1970: 1_600_000_000)...Date.distantFuture2090

        package init() {}
    }

    package init(_ change: (inout Fault) -> Void = { _ in }) throws {
        var fault = Fault()
        change(&fault)
        root = try Authority("Test Root", signedBy: nil, isAuthority: true)
        intermediate = try Authority(
            "Test Intermediate", signedBy: root, isAuthority: fault.intermediateIsAuthority,
            mark: fault.intermediateHasMark ? AppleMark.intermediate : nil)
        leaf = try Authority(
            "Test Leaf", signedBy: intermediate, isAuthority: false,
            mark: fault.leafHasMark ? AppleMark.leaf : nil, validity: fault.leafValidity)
    }

    /// The root as `app_store.root_certificates` takes it.
    package var rootPEM: String {
        get throws { try root.certificate.serializeAsPEM().pemString }
    }

    package func verifier(
        allowsSandbox: Bool = true, secret: some SecretSource,
        isTester: @escaping @Sendable (UUID) async throws -> Bool = { _ in false }
    ) throws -> ReceiptVerifier {
        try ReceiptVerifier(
            roots: rootPEM, bundleID: Self.bundleID, allowsSandbox: allowsSandbox,
            tokens: AppAccountToken(secret: secret), isTester: isTester)
    }

    // MARK: - Signing

    /// A signed text with these members.
    ///
    /// - Parameters:
    ///   - chain: nil: leaf, intermediate and root.
    ///   - key: nil: the leaf's.
    package func sign(
        _ members: [String: any Sendable], algorithm: String = "ES256", chain: [Certificate]? = nil,
        key: P256.Signing.PrivateKey? = nil
    ) throws -> String {
        let chain = try (chain ?? [leaf, intermediate, root].map(\.certificate)).map { certificate in
            var serializer = DER.Serializer()
            try serializer.serialize(certificate)
            return Data(serializer.serializedBytes).base64EncodedString()
        }
        let header = try JSONSerialization.data(withJSONObject: ["alg": algorithm, "x5c": chain])
        let payload = try JSONSerialization.data(withJSONObject: members)
        let text = "\(Self.base64URL(header)).\(Self.base64URL(payload))"
        let signature = try (key ?? leaf.key).signature(for: Data(text.utf8))
        return "\(text).\(Self.base64URL(signature.rawRepresentation))"
    }

    /// A transaction with these members, of which those of a fitting purchase are the defaults. A member that is `NSNull` is
    /// left out.
    package func transaction(
        _ members: [String: any Sendable] = [:], signedAt: Date = Date()
    ) throws -> String {
        let defaults: [String: any Sendable] = [
            "transactionId": "2000000000000001", "bundleId": Self.bundleID, "environment": "Production",
            "productId": "app.dayly.pro.year", "quantity": 1, "signedDate": Self.milliseconds(signedAt),
        ]
        return try sign(defaults.merging(members) { $1 }.filter { !($0.value is NSNull) })
    }

    package func notification(
        _ type: String, about transaction: String?, data: [String: any Sendable] = [:],
        signedAt: Date = Date()
    ) throws -> String {
        var content: [String: any Sendable] = ["bundleId": Self.bundleID, "environment": "Production"]
        if let transaction { content["signedTransactionInfo"] = transaction }
        return try sign([
            "notificationType": type, "notificationUUID": UUID().uuidString, "version": "2.0",
            "signedDate": Self.milliseconds(signedAt), "data": content.merging(data) { $1 },
        ])
    }

    /// An instant as the store writes it.
    package static func milliseconds(_ date: Date) -> Int { Int(date.timeIntervalSince1970 * 1_000) }

    private static func base64URL(_ data: Data) -> String {
        data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing(
            "=", with: "")
    }
}

extension Date {
    package static let distantFuture2090 = Date(timeIntervalSince1970: 3_786_912_000)
}

extension TestAppStore.Authority {
    init(
        _ name: String, signedBy issuer: TestAppStore.Authority?, isAuthority: Bool,
        mark: ASN1ObjectIdentifier? = nil,
        validity: ClosedRange<Date> = Date(timeIntervalSince1970: 1_500_000_000)...Date.distantFuture2090
    ) throws {
        let key = P256.Signing.PrivateKey()
        let own = try DistinguishedName { CommonName(name) }
        certificate = try Certificate(
            version: .v3, serialNumber: Certificate.SerialNumber(),
            publicKey: Certificate.PublicKey(key.publicKey), notValidBefore: validity.lowerBound,
            notValidAfter: validity.upperBound, issuer: issuer?.name ?? own, subject: own,
            signatureAlgorithm: .ecdsaWithSHA256,
            extensions: Certificate.Extensions {
                if isAuthority {
                    Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil))
                }
                if let mark { Certificate.Extension(oid: mark, critical: false, value: [5, 0]) }
            },
            issuerPrivateKey: Certificate.PrivateKey(issuer?.key ?? key))
        self.key = key
        self.name = own
    }
}
