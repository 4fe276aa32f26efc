import Foundation
import Testing

@testable import ObjectStorage

@Suite("S3: endpoints, signed URLs", .serialized)
struct S3ConfigurationTests {
    @Test("an invalid configuration is refused")
    func configuration() throws {
        func make(_ endpoint: String, bucket: String = "b", key: String = "k") throws {
            let url = try #require(URL(string: endpoint))
            try S3Configuration(
                endpoint: url, bucket: bucket, accessKeyID: key, secretAccessKey: "s"
            ).validate()
            _ = try S3Endpoint(url: url, bucket: bucket, pathStyle: true)
        }
        try make("http://localhost:9000/")
        for endpoint in ["ftp://x", "http://x/path", "http://x?q=1", "localhost", "http://u:p@x"] {
            #expect(throws: ObjectStoreError.self) { try make(endpoint) }
        }
        for bucket in ["", "..", "a/b", "a b", "a?b"] {
            #expect(throws: ObjectStoreError.self) { try make("http://x", bucket: bucket) }
        }
        #expect(throws: ObjectStoreError.self) { try make("http://x", key: "") }
    }

    @Test("the bucket stands in the path or in the host; the port is part of the host")
    func endpoints() throws {
        func url(_ endpoint: String, pathStyle: Bool) throws -> String {
            let endpoint = try S3Endpoint(
                url: try #require(URL(string: endpoint)), bucket: "b", pathStyle: pathStyle)
            let uri = endpoint.uri(key: "k/ü")
            return endpoint.host + " " + endpoint.url(uri, query: "")
        }
        #expect(try url("http://h:9000", pathStyle: true) == "h:9000 http://h:9000/b/k/%C3%BC")
        #expect(try url("https://h:443/", pathStyle: true) == "h https://h/b/k/%C3%BC")
        #expect(
            try url("https://s3.example", pathStyle: false) == "b.s3.example https://b.s3.example/k/%C3%BC")
        #expect(try url("http://[::1]:80", pathStyle: true) == "[::1] http://[::1]/b/k/%C3%BC")
    }

    @Test("signed URLs name the public endpoint and are the same for the same arguments")
    func publicEndpoint() async throws {
        var configuration = S3Configuration(
            endpoint: try #require(URL(string: "http://minio:9000")), bucket: "b", accessKeyID: "test:tester",
            secretAccessKey: "s")
        configuration.publicEndpoint = URL(string: "https://photos.example")
        try await withS3(configuration) { store in
            let now = Date(timeIntervalSince1970: 1_700_000_000)
            let url = try store.presignedGet("a b", signedAt: now, expiresAt: now.addingTimeInterval(60))
            #expect(url.hasPrefix("https://photos.example/b/a%20b?X-Amz-Algorithm=AWS4-HMAC-SHA256"))
            #expect(url.contains("X-Amz-Credential=test%3Atester%2F20231114%2F"))
            #expect(
                url == (try store.presignedGet("a b", signedAt: now, expiresAt: now.addingTimeInterval(60))))
            for lifetime in [0.0, -1, 604_801] {
                #expect(throws: ObjectStoreError.self) {
                    try store.presignedGet("a", signedAt: now, expiresAt: now.addingTimeInterval(lifetime))
                }
            }
        }
    }
}
