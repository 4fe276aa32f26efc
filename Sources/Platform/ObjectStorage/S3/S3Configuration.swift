import Foundation
import Resilience

/// The address of a bucket, the credentials for it and the client's limits. Works with AWS, Cloudflare R2, Backblaze B2,
/// MinIO, Ceph and Swift.
package struct S3Configuration: Sendable {
    /// `http` or `https`, a host and an optional port; a path is refused.
    package var endpoint: URL
    /// The endpoint in signed URLs, if clients reach the store under another name than the service does.
    package var publicEndpoint: URL?
    package var region: String
    package var bucket: String
    package var accessKeyID: String
    package var secretAccessKey: String
    /// Whether the bucket is in the path (works everywhere) or in the host's name (AWS prefers this).
    package var pathStyle: Bool
    /// Whether the deletion of a key deletes each of its versions, for buckets that keep versions. Listings then show
    /// hidden objects too.
    package var deletesVersions: Bool
    /// A PEM file with authorities to trust in addition to the system's.
    package var caFile: String?
    /// The time limit of one attempt. All attempts at a call together may take three times as long.
    package var requestTimeout: Duration
    /// The time limit of one attempt to delete up to a thousand objects.
    package var deleteTimeout: Duration
    /// The time limit of a PUT with its retries and its confirmation.
    package var putDeadline: Duration
    /// The attempts at one call, the first included.
    package var maxAttempts = 5
    package var backoff = Backoff(first: .milliseconds(100), longest: .seconds(2), jitter: 0.75)
    /// The number of calls under way at a time, including calls that wait for a connection or for another attempt. One
    /// more is refused.
    package var maxCalls = 640
    /// The number of connections to the store. Further calls wait for a free one.
    package var maxConnections = 128
    /// The size limit of an object that is read into memory.
    package var maxObjectBytes: Int

    package init(
        endpoint: URL, publicEndpoint: URL? = nil, region: String = "us-east-1", bucket: String,
        accessKeyID: String, secretAccessKey: String, pathStyle: Bool = true,
        deletesVersions: Bool = false, caFile: String? = nil,
        requestTimeout: Duration = .seconds(5), deleteTimeout: Duration = .seconds(30),
        putDeadline: Duration = .seconds(10), maxObjectBytes: Int = 32 << 20
    ) {
        self.endpoint = endpoint
        self.publicEndpoint = publicEndpoint
        self.region = region
        self.bucket = bucket
        self.accessKeyID = accessKeyID
        self.secretAccessKey = secretAccessKey
        self.pathStyle = pathStyle
        self.deletesVersions = deletesVersions
        self.caFile = caFile
        self.requestTimeout = requestTimeout
        self.deleteTimeout = deleteTimeout
        self.putDeadline = putDeadline
        self.maxObjectBytes = maxObjectBytes
    }

    func validate() throws(ObjectStoreError) {
        let isName = bucket.utf8.allSatisfy { PercentEncoding.isUnreserved($0) && $0 != UInt8(ascii: "~") }
        guard isName, (1...255).contains(bucket.utf8.count), bucket != ".", bucket != ".." else {
            throw .rejected("the name of the bucket is not valid", culprit: .bucket)
        }
        guard !accessKeyID.isEmpty, !secretAccessKey.isEmpty, !region.isEmpty else {
            throw .rejected("an access key ID, its secret or the region is missing", culprit: .permission)
        }
    }
}
