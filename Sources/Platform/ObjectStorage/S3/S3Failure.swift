import Foundation
import NIOCore
import NIOHTTP1

/// A whole answer of an S3 server. Its body is within the limit of its request.
struct S3Response: Sendable {
    let status: Int
    let headers: HTTPHeaders
    let body: ByteBuffer

    var isSuccess: Bool { (200..<300).contains(status) }

    /// The time of the server's clock.
    var date: Date? { headers.first(name: "Date").flatMap(HTTPDate.parse) }

    /// Without quotes, which servers send plain, escaped or not at all. `nil` for a weak tag, which does not identify the
    /// bytes.
    var etag: String? {
        guard let text = headers.first(name: "ETag"), !text.hasPrefix("W/") else { return nil }
        return Self.bareETag(text)
    }

    static func bareETag(_ text: String) -> String {
        text.replacingOccurrences(of: "&quot;", with: "").filter { $0 != "\"" }
    }
}

/// The reason why an S3 server refused, read from the status first and from the XML second, because a body may be missing
/// or HTML.
struct S3Failure: Sendable {
    let status: Int
    /// S3's error code, a single word. The rest of the body is not repeated anywhere.
    let code: String?
    /// The region that the server expected.
    let expectedRegion: String?
    /// The endpoint that a redirect names, with its scheme: `https://s3.eu-west-1.amazonaws.com`. The bucket's name may be in
    /// front of the host.
    let otherEndpoint: String?

    /// `nil` for a success.
    init?(_ response: S3Response) {
        guard !response.isSuccess else { return nil }
        let xml = XMLTree(response.body.readableBytesView)
        status = response.status
        code = xml.flatMap { $0.name == "Error" ? $0["Code"] : nil }.flatMap(Self.word)
        let quoted = xml?["Message"]?.components(separatedBy: "expecting '").dropFirst().first?
            .split(separator: "'").first.map(String.init)
        expectedRegion = (response.headers.first(name: "x-amz-bucket-region") ?? xml?["Region"] ?? quoted)
            .flatMap(Self.word)
        let location = response.headers.first(name: "Location").flatMap(Self.origin)
        let scheme = location.flatMap { $0.hasPrefix("http:") ? "http" : nil } ?? "https"
        otherEndpoint =
            (300..<400).contains(status)
            ? location ?? xml?["Endpoint"].flatMap { Self.origin("\(scheme)://\($0)") } : nil
    }

    /// Whether the same request, signed again, may succeed later.
    var isRetryable: Bool {
        switch status {
        case 429, 500, 502, 503, 504: true
        default: code.map(Self.temporaryCodes.contains) ?? false
        }
    }

    static let temporaryCodes: Set<String> = [
        "RequestTimeout", "SlowDown", "InternalError", "OperationAborted", "IncompleteBody", "BadDigest",
        "ServiceUnavailable",
    ]

    /// For the log and for `dayly doctor`.
    var summary: String { "the object store answered \(status)\(code.map { " \($0)" } ?? "")" }

    func error(_ configuration: S3Configuration) -> ObjectStoreError {
        if isRetryable { return .unavailable(summary) }
        switch code {
        case "NoSuchBucket":
            return .rejected("bucket '\(configuration.bucket)' does not exist", culprit: .bucket)
        case "NoSuchKey": return .notFound
        case "InvalidAccessKeyId":
            return .rejected("the access key ID is unknown there", culprit: .accessKeyID)
        case "SignatureDoesNotMatch":
            return .rejected(
                "the access key ID and the secret do not belong together", culprit: .credentials)
        case "RequestTimeTooSkewed":
            return .rejected("this machine's clock differs from the object store's", culprit: .clock)
        default: return errorByStatus(configuration)
        }
    }

    private func errorByStatus(_ configuration: S3Configuration) -> ObjectStoreError {
        let place = otherEndpoint.map { ", at the endpoint \(Self.without(configuration.bucket, $0))" } ?? ""
        if let region = expectedRegion, region != configuration.region {
            return .rejected(
                "the bucket is in region '\(region)', not '\(configuration.region)'\(place)", culprit: .region
            )
        }
        return switch status {
        case 404: .notFound
        case 400 where code == "AuthorizationHeaderMalformed":
            .rejected(summary, culprit: .signatureScope)
        case 401, 403:
            .rejected(summary, culprit: .permission)
        case 300..<400:
            .rejected(
                place.isEmpty ? "\(summary), a redirect" : "the bucket is elsewhere\(place) (\(summary))",
                culprit: .address)
        case 502...599 where status != 505: .unavailable(summary)
        default: .rejected(summary)
        }
    }

    /// Scheme, host and port of a URL: the server's text goes into the log.
    private static func origin(_ text: String) -> String? {
        guard let url = URL(string: text), let scheme = url.scheme?.lowercased(),
            ["http", "https"].contains(scheme),
            let host = url.host().flatMap({ word($0) })
        else { return nil }
        return "\(scheme)://\(host)\(url.port.map { ":\($0)" } ?? "")"
    }

    private static func without(_ bucket: String, _ endpoint: String) -> String {
        endpoint.replacingOccurrences(of: "://\(bucket).", with: "://")
    }

    /// A short word of letters, digits and `-._~`, otherwise `nil`: the server's text goes into the log.
    private static func word(_ text: String) -> String? {
        let isPlain = text.utf8.allSatisfy { PercentEncoding.isUnreserved($0) }
        return !text.isEmpty && text.utf8.count <= 64 && isPlain ? text : nil
    }
}
