import KeyDerivation
import Crypto
import Foundation
import JWTKit

/// The keys of access tokens. The first key signs, and every key verifies. To rotate, put a new key in front, and remove the
/// old key when its last token has expired.
package struct SigningKeys: Sendable {
    let collection: JWTKeyCollection
    let signingKeyID: String
    let keyIDs: Set<String>

    /// - Parameter pems: P-256 private keys (PKCS #8 or SEC 1), at least one.
    /// - Throws: `SigningKeysError`.
    package init(pems: [String]) async throws {
        var ids: [String] = []
        let collection = JWTKeyCollection()
        for (index, pem) in pems.enumerated() {
            guard let key = try? P256.Signing.PrivateKey(pemRepresentation: pem) else {
                throw SigningKeysError.unreadable(index: index)
            }
            let id = Self.thumbprint(of: key.publicKey)
            await collection.add(ecdsa: try ES256PrivateKey(backing: key), kid: JWKIdentifier(string: id))
            ids.append(id)
        }
        guard let first = ids.first else { throw SigningKeysError.none }
        self.collection = collection
        signingKeyID = first
        keyIDs = Set(ids)
    }

    /// The thumbprint of RFC 7638.
    private static func thumbprint(of key: P256.Signing.PublicKey) -> String {
        let point = [UInt8](key.x963Representation)
        let x = Base64URL.encode(point[1..<33])
        let y = Base64URL.encode(point[33..<65])
        return Base64URL.encode(
            SHA256.hash(data: Data(#"{"crv":"P-256","kty":"EC","x":"\#(x)","y":"\#(y)"}"#.utf8)))
    }
}

package enum SigningKeysError: Error, Equatable {
    case none
    /// The key at this index is not a P-256 private key in PEM.
    case unreadable(index: Int)
}
