import Foundation
import NIOCore
import NIOHTTP1

/// The bucket as a whole: list and check it.
extension S3ObjectStore {
    package func list(
        prefix: String, continuation: String?, limit: Int
    ) async throws(ObjectStoreError) -> ObjectListing {
        let limit = min(max(limit, 1), 1_000)
        if configuration.deletesVersions {
            return try await measured("list") { () async throws(ObjectStoreError) in
                try await listVersions(prefix: prefix, continuation: continuation, limit: limit)
            }
        }
        var request = request(.GET)
        request.parameters = [
            ("list-type", "2"), ("prefix", prefix), ("encoding-type", "url"),
            ("max-keys", String(limit)),
        ]
        if let continuation { request.parameters.append(("continuation-token", continuation)) }
        request.maxResponseBytes = 8 << 20
        return try await measured("list") { [request] () async throws(ObjectStoreError) in
            try await listing(request)
        }
    }

    private func listing(_ request: S3Request) async throws(ObjectStoreError) -> ObjectListing {
        let response = try await transport.exchange(request)
        if let failure = S3Failure(response) {
            // Some servers send no code with the 404. In a listing only the bucket can be missing.
            throw failure.status == 404 ? bucketMissing : failure.error(configuration)
        }
        guard let listing = ListingAnswer(response.body)?.listing else {
            throw .unavailable("the object store's listing cannot be read")
        }
        return listing
    }

    package func check() async throws(ObjectStoreError) {
        // A listing instead of a HEAD: the body of its error names the cause, and the audit needs to list anyway.
        _ = try await list(prefix: "", continuation: nil, limit: 1)
    }

    package func currentDate() async throws(ObjectStoreError) -> Date? {
        try await measured("clock") { () async throws(ObjectStoreError) -> Date? in
            let response = try await transport.exchange(request(.HEAD))
            if let failure = S3Failure(response) {
                // The answer to a HEAD has no body and so no code. Only the bucket can be missing.
                throw failure.status == 404 ? bucketMissing : failure.error(configuration)
            }
            return response.date
        }
    }

    /// Creates the bucket if it does not exist. Only tests do; everywhere else its owner creates it.
    package func makeBucket() async throws(ObjectStoreError) {
        var request = request(.PUT)
        request.body = ByteBuffer()
        if let failure = S3Failure(try await transport.exchange(request)) {
            guard failure.status == 409 else { throw failure.error(configuration) }
            _ = try await transport.send(self.request(.HEAD))
        }
    }

    var bucketMissing: ObjectStoreError {
        .rejected("bucket '\(configuration.bucket)' does not exist", culprit: .bucket)
    }
}

/// The answer of ListObjectsV2.
struct ListingAnswer: Sendable {
    let listing: ObjectListing

    init?(_ body: ByteBuffer) {
        guard let xml = XMLTree(body.readableBytesView), xml.name == "ListBucketResult" else { return nil }
        let isEncoded = xml["EncodingType"]?.lowercased() == "url"
        var objects: [ObjectListing.Object] = []
        for entry in xml.all("Contents") {
            guard let raw = entry["Key"], let key = isEncoded ? Self.decode(raw) : raw,
                let size = entry["Size"].flatMap({ Int($0) }),
                let date = entry["LastModified"].flatMap(UTCTime.parseISO8601)
            else { return nil }
            objects.append(.init(key: ObjectKey(listed: key), size: size, lastModified: date))
        }
        let isTruncated = xml["IsTruncated"] == "true"
        // Without a token a caller would stop here and believe that it has seen everything.
        if isTruncated, xml["NextContinuationToken"] == nil { return nil }
        listing = ObjectListing(
            objects: objects, continuation: isTruncated ? xml["NextContinuationToken"] : nil)
    }

    /// S3 encodes keys like form data: `+` is a space, and `%2B` is a plus sign.
    static func decode(_ text: String) -> String? {
        PercentEncoding.decode(text.replacingOccurrences(of: "+", with: " "))
    }
}
