import Foundation
import Resilience
import Settings

/// Where a bucket is and how to use it. Works for AWS, Cloudflare R2, Backblaze B2, MinIO, Ceph and Swift.
package struct S3Configuration: SettingGroup {
    /// `http` or `https`, a host and perhaps a port; no path.
    @Setting(
        "storage.s3.endpoint", .webURL, "The URL of the object store; required with `s3`.",
        remedy: Self.remedy)
    package var endpoint: URL

    /// The endpoint that signed URLs name.
    @Setting(
        "storage.s3.public_endpoint", .webURL,
        default: .derived("the endpoint") { $0("storage.s3.endpoint") },
        "The object store's URL for clients, where it differs.")
    package var publicEndpoint: URL?

    @Setting("storage.s3.region", .text, default: "us-east-1", "The bucket's region.", remedy: Self.remedy)
    package var region: String

    @Setting("storage.s3.bucket", .text, "The bucket's name; required with `s3`.", remedy: Self.remedy)
    package var bucket: String

    @Setting(
        "storage.s3.access_key_id", .text, "The credentials' id; required with `s3`.", remedy: Self.remedy)
    package var accessKeyID: String

    @Setting(
        "storage.s3.secret_access_key", .text, "The credentials' secret; required with `s3`.",
        remedy: Self.remedy, secret: true)
    package var secretAccessKey: String

    @Setting(
        "storage.s3.path_style", .flag, default: "true",
        "Whether the bucket is in the URL's path, which works everywhere, or in its host, which AWS prefers.")
    package var pathStyle: Bool

    /// Listings then include versions and deletion markers.
    @Setting(
        "storage.s3.delete_versions", .flag, default: "false",
        "For a bucket that keeps versions: delete each version of a picture, with one more request for each "
            + "object. Without it `doctor` refuses such a bucket."
    )
    package var deletesVersions: Bool

    @Setting(
        "storage.s3.ca_file", .path, "A PEM file of authorities to trust in addition to the system's.")
    package var caFile: String?

    /// Other calls wait for a connection.
    @Setting(
        "storage.s3.max_connections", .number(1...10_000), default: "128",
        "Calls in progress at the object store, each with a file descriptor; five times as many may wait.")
    package var maxConnections: Int

    /// The time of one attempt; a call has three times as long for all of its attempts.
    package var requestTimeout: Duration = .seconds(5)
    /// The time of one attempt to delete a thousand objects.
    package var deleteTimeout: Duration = .seconds(30)
    /// The time of a PUT, including retries and confirmation.
    package var putDeadline: Duration = .seconds(10)
    /// The attempts at one call, the first included.
    package var maxAttempts = 5
    package var backoff = Backoff(first: .milliseconds(100), longest: .seconds(2), jitter: 0.75)
    /// Objects larger than this are not read into memory.
    package var maxObjectBytes = 32 << 20
    /// Calls in progress for each connection, including those that wait for one or for another attempt. One more is
    /// refused.
    package var callsPerConnection = 5

    package init() {}

    package init(endpoint: URL, bucket: String, accessKeyID: String, secretAccessKey: String) {
        self.init()
        self.endpoint = endpoint
        self.bucket = bucket
        self.accessKeyID = accessKeyID
        self.secretAccessKey = secretAccessKey
    }

    var maxCalls: Int { callsPerConnection * maxConnections }

    private static let remedy =
        "Give it as the object store's provider shows it, or set storage.kind=filesystem."

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
