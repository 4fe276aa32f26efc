import Crypto
import Foundation
import Logging
import NIOCore
import NIOFoundationCompat
import NIOHTTP1
import Synchronization

/// A bucket on any S3-compatible server.
///
/// Uses only the features that every such server supports: fixed lengths, the real payload hash and Content-MD5, and no
/// checksum trailers, conditions or `Expect`.
package final class S3ObjectStore: ObjectStore {
    let configuration: S3Configuration
    let transport: S3Transport
    let publicEndpoint: S3Endpoint
    private let signer: SigV4Signer
    private let keys: SigningKeyCache
    let habits = Mutex(Habits())

    /// The peculiarities that the server has shown while this process ran.
    struct Habits {
        var deletesOneByOne = false
        /// Whether its ETags look like an MD5 of the bytes and are none.
        var hasOtherETags = false
    }

    /// - Throws: ``ObjectStoreError/rejected(_:culprit:)`` when the configuration is not valid.
    package init(
        configuration: S3Configuration, logger: Logger,
        clock: @escaping @Sendable () -> Date = { Date() }
    ) throws(ObjectStoreError) {
        try configuration.validate()
        self.configuration = configuration
        let endpoint = try S3Endpoint(
            url: configuration.endpoint, bucket: configuration.bucket, pathStyle: configuration.pathStyle)
        publicEndpoint = try S3Endpoint(
            url: configuration.publicEndpoint ?? configuration.endpoint, bucket: configuration.bucket,
            pathStyle: configuration.pathStyle)
        signer = SigV4Signer(
            accessKeyID: configuration.accessKeyID, secretAccessKey: configuration.secretAccessKey,
            region: configuration.region)
        keys = SigningKeyCache(signer: signer)
        transport = try S3Transport(
            configuration: configuration, endpoint: endpoint, signer: signer, keys: keys, clock: clock,
            logger: logger)
    }

    package func get(_ key: ObjectKey) async throws(ObjectStoreError) -> ByteBuffer {
        try await measured("get") { () async throws(ObjectStoreError) in
            var request = request(.GET, key)
            request.maxResponseBytes = configuration.maxObjectBytes
            return try await transport.send(request).body
        }
    }

    package func head(_ key: ObjectKey) async throws(ObjectStoreError) -> ObjectMetadata? {
        try await measured("head") { () async throws(ObjectStoreError) in
            try await metadata(request(.HEAD, key))
        }
    }

    package func presignedGet(
        _ key: ObjectKey, signedAt: Date, expiresAt: Date
    ) throws(ObjectStoreError) -> String {
        let lifetime = Int(expiresAt.timeIntervalSince(signedAt))
        // SigV4 allows at most seven days.
        guard (1...604_800).contains(lifetime) else { throw .rejected("a signed URL lives 1 s to 7 days") }
        let uri = publicEndpoint.uri(key: key)
        let query = signer.presignedQuery(
            for: .init(
                method: "GET", uri: uri, headers: [("Host", publicEndpoint.host)],
                payloadHash: SigV4Signer.unsignedPayload),
            at: signedAt, lifetime: lifetime, key: keys.key(for: signedAt))
        return publicEndpoint.url(uri, query: query)
    }

    package func shutdown() async { await transport.shutdown() }

    /// The answer to a HEAD of an object; `nil` for a 404.
    func metadata(_ request: S3Request) async throws(ObjectStoreError) -> ObjectMetadata? {
        let response: S3Response
        do { response = try await transport.send(request) } catch {
            if error == .notFound { return nil }
            throw error
        }
        let size: Int
        if let length = response.headers.first(name: "Content-Length").flatMap({ Int($0) }) {
            size = length
        } else {
            // A proxy in front of the store has taken it out.
            var get = request
            get.method = .GET
            get.maxResponseBytes = configuration.maxObjectBytes
            size = try await transport.send(get).body.readableBytes
        }
        return ObjectMetadata(
            size: size, etag: response.etag,
            lastModified: response.headers.first(name: "Last-Modified").flatMap(HTTPDate.parse),
            // An object from before the bucket kept versions has the version "null".
            versionID: response.headers.first(name: "x-amz-version-id").flatMap { $0 == "null" ? nil : $0 })
    }

    /// A request with the usual time limits: `requestTimeout` for each attempt, and three times that for all attempts.
    func request(_ method: HTTPMethod, _ key: ObjectKey? = nil) -> S3Request {
        S3Request(
            method: method, key: key, attemptTimeout: configuration.requestTimeout,
            deadline: .now + configuration.requestTimeout * 3)
    }
}

/// S3 checks integrity with MD5. Nothing here relies on MD5 against an attacker.
enum ContentMD5 {
    static func digest(_ bytes: ByteBuffer) -> Insecure.MD5Digest {
        Insecure.MD5.hash(data: bytes.readableBytesView)
    }

    /// The value of `Content-MD5`.
    static func header(_ digest: Insecure.MD5Digest) -> String { Data(digest).base64EncodedString() }

    static func looksLikeMD5(_ etag: String) -> Bool {
        etag.utf8.count == 32 && etag.utf8.allSatisfy { Hex.value($0) != nil }
    }
}
