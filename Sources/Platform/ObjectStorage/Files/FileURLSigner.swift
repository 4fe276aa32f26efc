import Foundation
import KeyDerivation

/// Signs and verifies the URLs of files that the service itself serves:
/// `<public URL>/files/<key>?expires=<unix seconds>&signature=<base64url of HMAC-SHA256>`.
package struct FileURLSigner: Sendable {
    /// The reason why a URL is refused. The client gets the same answer for all of them.
    package enum Rejection: Error, Sendable, Hashable {
        case malformed, badSignature, expired
    }

    private let publicURL: String
    private let keys: KeyRing

    /// - Parameters:
    ///   - publicURL: the service's URL for clients, for example `https://dayly.example`.
    ///   - secret: the service's secrets. The signer derives its keys from them for this use only.
    package init(publicURL: String, secret: some SecretSource) {
        self.publicURL = publicURL.hasSuffix("/") ? String(publicURL.dropLast()) : publicURL
        keys = secret.secrets.keys(for: "dayly file URL v1")
    }

    package func url(for key: ObjectKey, expiresAt: Date) -> String {
        let expires = Int64(expiresAt.timeIntervalSince1970.rounded(.down))
        let code = keys.code(of: Self.message(key, expires))
        let path = PercentEncoding.encode(key.rawValue, keepingSlashes: true)
        return "\(publicURL)/files/\(path)?expires=\(expires)&signature=\(Base64URL.encode(code))"
    }

    /// Checks a request target (path and query, exactly as in the request line) of the `/files/` route.
    package func verify(target: String, now: Date) -> Result<ObjectKey, Rejection> {
        guard let claim = Claim(target: target) else { return .failure(.malformed) }
        // Compares in constant time.
        let genuine = keys.isValid(Array(claim.signature), of: Self.message(claim.key, claim.expires))
        guard genuine else { return .failure(.badSignature) }
        guard now.timeIntervalSince1970 < TimeInterval(claim.expires) else { return .failure(.expired) }
        return .success(claim.key)
    }

    private static func message(_ key: ObjectKey, _ expires: Int64) -> [UInt8] {
        // The number comes first and ends with a line feed, so no two pairs of key and expiry share a message.
        Array("\(expires)\n\(key.rawValue)".utf8)
    }

    /// The contents of a target before its signature is checked.
    private struct Claim {
        let key: ObjectKey
        let expires: Int64
        let signature: [UInt8]

        init?(target: String) {
            let halves = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
            guard halves.count == 2, halves[0].hasPrefix("/files/"),
                let path = PercentEncoding.decode(halves[0].dropFirst("/files/".count)),
                let key = ObjectKey(rawValue: path),
                // Only one encoding of a key is valid: the one that was signed.
                halves[0] == "/files/" + PercentEncoding.encode(key.rawValue, keepingSlashes: true)
            else { return nil }
            let fields = halves[1].split(separator: "&", omittingEmptySubsequences: false)
            guard fields.count == 2, fields[0].hasPrefix("expires="), fields[1].hasPrefix("signature="),
                let expires = Int64(fields[0].dropFirst("expires=".count)), expires >= 0,
                fields[0].dropFirst("expires=".count) == String(expires),
                let signature = Base64URL.decode(fields[1].dropFirst("signature=".count))
            else { return nil }
            self.key = key
            self.expires = expires
            self.signature = signature
        }
    }
}
