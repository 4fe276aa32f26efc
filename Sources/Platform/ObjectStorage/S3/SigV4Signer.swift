import Crypto
import Foundation

/// AWS Signature Version 4 as a value: the credentials, the region and the service.
///
/// A signature depends only on its arguments, without a clock or state. The request must be sent exactly as signed:
/// ``CanonicalURI/path`` and ``CanonicalURI/query`` are the bytes for the wire. A path is percent-encoded once and never
/// normalised, as S3 requires (other AWS services normalise).
///
/// Source: AWS IAM User Guide, "Create a signed AWS API request"; Amazon S3 API Reference, "Authenticating
/// Requests (AWS Signature Version 4)".
package struct SigV4Signer: Sendable {
    package static let algorithm = "AWS4-HMAC-SHA256"
    /// The payload hash of a signed URL, whose signature does not cover the body.
    package static let unsignedPayload = "UNSIGNED-PAYLOAD"

    package let accessKeyID: String
    private let secretAccessKey: String
    package let region: String
    package let service: String

    package init(accessKeyID: String, secretAccessKey: String, region: String, service: String = "s3") {
        self.accessKeyID = accessKeyID
        self.secretAccessKey = secretAccessKey
        self.region = region
        self.service = service
    }

    /// The parts of a request that a signature covers.
    package struct Request: Sendable {
        package var method: String
        package var uri: CanonicalURI
        /// The header fields to sign, with `Host`. Names may be in any case, and a name may repeat.
        package var headers: [(name: String, value: String)]
        /// Lower-case hex of SHA-256 of the body, or ``SigV4Signer/unsignedPayload``.
        package var payloadHash: String

        package init(
            method: String, uri: CanonicalURI, headers: [(name: String, value: String)], payloadHash: String
        ) {
            self.method = method
            self.uri = uri
            self.headers = headers
            self.payloadHash = payloadHash
        }
    }

    /// The key for the requests of one day. To derive it takes four HMACs, so ``SigningKeyCache`` keeps it.
    package struct SigningKey: Sendable {
        package let day: String
        let key: SymmetricKey
    }

    package func signingKey(for date: Date) -> SigningKey {
        let day = UTCTime(date).basicDay
        var key = Array("AWS4\(secretAccessKey)".utf8)
        for part in [day, region, service, "aws4_request"] {
            key = Array(Self.hmac(part, SymmetricKey(data: key)))
        }
        return SigningKey(day: day, key: SymmetricKey(data: key))
    }

    /// The value of `Authorization`. The request's headers must hold `X-Amz-Date` for the same date.
    package func authorization(for request: Request, at date: Date, key: SigningKey? = nil) -> String {
        let time = UTCTime(date)
        let headers = CanonicalHeaders(request.headers)
        let signature = signature(
            of: request, query: request.uri.query, headers: headers, time: time,
            key: key ?? signingKey(for: date))
        return "\(Self.algorithm) Credential=\(accessKeyID)/\(scope(time)), "
            + "SignedHeaders=\(headers.names), Signature=\(signature)"
    }

    /// The complete query, with the signature, of a URL that is valid for `lifetime` seconds from `date`.
    package func presignedQuery(
        for request: Request, at date: Date, lifetime: Int, key: SigningKey? = nil
    ) -> String {
        let time = UTCTime(date)
        let headers = CanonicalHeaders(request.headers)
        var request = request
        request.uri.parameters += [
            ("X-Amz-Algorithm", Self.algorithm),
            ("X-Amz-Credential", "\(accessKeyID)/\(scope(time))"),
            ("X-Amz-Date", time.basic),
            ("X-Amz-Expires", String(lifetime)),
            ("X-Amz-SignedHeaders", headers.names),
        ]
        let query = request.uri.query
        let signature = signature(
            of: request, query: query, headers: headers, time: time, key: key ?? signingKey(for: date))
        return "\(query)&X-Amz-Signature=\(signature)"
    }

    private func scope(_ time: UTCTime) -> String { "\(time.basicDay)/\(region)/\(service)/aws4_request" }

    private func signature(
        of request: Request, query: String, headers: CanonicalHeaders, time: UTCTime, key: SigningKey
    ) -> String {
        let canonical = """
            \(request.method)
            \(request.uri.path)
            \(query)
            \(headers.block)
            \(headers.names)
            \(request.payloadHash)
            """
        let stringToSign = """
            \(Self.algorithm)
            \(time.basic)
            \(scope(time))
            \(Hex.encode(SHA256.hash(data: Array(canonical.utf8))))
            """
        return Hex.encode(Self.hmac(stringToSign, key.key))
    }

    private static func hmac(_ text: String, _ key: SymmetricKey) -> HMAC<SHA256>.MAC {
        HMAC<SHA256>.authenticationCode(for: Array(text.utf8), using: key)
    }
}

/// A path and a query in SigV4's canonical form, in which they are also sent.
package struct CanonicalURI: Sendable {
    /// Unencoded, with a leading `/`.
    package var rawPath: String
    /// Unencoded, in any order. A parameter without a value has an empty one.
    package var parameters: [(name: String, value: String)]

    package init(path: String, parameters: [(name: String, value: String)] = []) {
        self.rawPath = path
        self.parameters = parameters
    }

    package var path: String { PercentEncoding.encode(rawPath, keepingSlashes: true) }

    /// Sorted by the encoded name, then the encoded value, byte by byte.
    package var query: String {
        let encoded: [(name: String, value: String)] = parameters.map {
            (PercentEncoding.encode($0.name), PercentEncoding.encode($0.value))
        }
        let sorted = encoded.sorted { $0.name == $1.name ? $0.value < $1.value : $0.name < $1.name }
        return sorted.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
    }
}

/// Header fields in SigV4's canonical form: names in lower case and sorted, values trimmed, with single spaces.
private struct CanonicalHeaders {
    /// `host;x-amz-date`
    let names: String
    /// One line for each name, with a line feed at its end.
    let block: String

    init(_ fields: [(name: String, value: String)]) {
        var values: [String: [String]] = [:]
        for field in fields {
            let folded = field.value.split(whereSeparator: { $0 == " " || $0 == "\t" }).joined(separator: " ")
            values[field.name.lowercased(), default: []].append(folded)
        }
        let sorted = values.sorted { $0.key < $1.key }
        names = sorted.map(\.key).joined(separator: ";")
        block = sorted.map { "\($0.key):\($0.value.joined(separator: ","))\n" }.joined()
    }
}
