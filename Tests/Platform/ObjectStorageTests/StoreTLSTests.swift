import DaylyTesting
import Foundation
import NIOCore
import ObjectStorage
import Testing

/// Guard: the store's certificate and its name are checked (`TrustedAuthorities`)
@Suite("TLS to the object store", .serialized)
struct TLSTests {
    /// Runs `body` with the https endpoint of an rclone of its own, and its certificates.
    private func withTLS(
        certificate: String = "server.pem", _ body: (S3Configuration, TestCertificates) async throws -> Void
    ) async throws {
        try await withTemporaryFolder { folder in
            let certificates = try await TestCertificates.make(in: folder)
            let started = try await Shell.run(
                """
                . scripts/lib/common.sh; . scripts/lib/objectstore.sh
                objectstore_start_rclone "$DIR" --cert "$DIR/\(certificate)" --key "$DIR/server.key"
                echo "$DAYLY_TEST_S3_RCLONE_URL $DAYLY_TEST_S3_RCLONE_KEY $DAYLY_TEST_S3_RCLONE_SECRET"
                """, environment: ["DIR": folder.path])
            #expect(started.status == 0)
            let words = started.output.split(separator: " ").map(String.init)
            do {
                try #require(words.count == 3)
                let configuration = S3Configuration(
                    endpoint: try #require(URL(string: words[0])), bucket: "tls", accessKeyID: words[1],
                    secretAccessKey: words[2])
                try await body(configuration, certificates)
            } catch {
                try await stop(folder)
                throw error
            }
            try await stop(folder)
        }
    }

    private func stop(_ folder: URL) async throws {
        _ = try await Shell.run(
            ". scripts/lib/common.sh; . scripts/lib/objectstore.sh; objectstore_stop \"$DIR\"",
            environment: ["DIR": folder.path])
    }

    @Test("a server is believed by its authority and its name, and by nothing less")
    func trust() async throws {
        try await withTLS { configuration, certificates in
            #expect(configuration.endpoint.scheme == "https")
            var trusting = configuration
            trusting.caFile = certificates.authority
            try await withS3(trusting) { store in
                try await store.makeBucket()
                try await store.put("a", ByteBuffer(string: "bytes"), contentType: "text/plain")
                let bytes = try await store.get("a")
                #expect(bytes == ByteBuffer(string: "bytes"))
                let link = try store.presignedGet(
                    "a", signedAt: Date().addingTimeInterval(-5), expiresAt: Date().addingTimeInterval(60))
                let answer = try await store.fetch(link)
                #expect((answer.status, answer.body) == (200, ByteBuffer(string: "bytes")))
                let unsigned = try await store.fetch(store.publicURL + "/a")
                #expect(!unsigned.isSuccess)
            }
            try await withS3(configuration) { store in
                await expectRejected(culprits: [.certificate]) { try await store.check() }
                await expectRejected(culprits: [.certificate]) {
                    _ = try await store.fetch(store.publicURL)
                }
            }
            var distrusting = configuration
            distrusting.caFile = certificates.stranger
            try await withS3(distrusting) { store in
                await expectRejected(naming: "its authority is not known") { try await store.check() }
            }
        }
    }

    @Test("a certificate of another name is not believed")
    func misnamed() async throws {
        try await withTLS(certificate: "misnamed.pem") { configuration, certificates in
            var configuration = configuration
            configuration.caFile = certificates.authority
            try await withS3(configuration) { store in
                await expectRejected(culprits: [.certificateName]) { try await store.check() }
            }
        }
    }

    @Test("a file without certificates is refused at once, and so is a server without TLS")
    func mistakes() async throws {
        var configuration = try S3Server.swift.configuration(bucket: "b")
        configuration.caFile = #filePath
        #expect(throws: ObjectStoreError.self) {
            _ = try S3ObjectStore(configuration: configuration, logger: .init(label: "t"))
        }
        configuration.caFile = nil
        configuration.endpoint = try #require(
            URL(string: "https://127.0.0.1:\(configuration.endpoint.port ?? 0)"))
        try await withS3(configuration) { store in
            await expectRejected(culprits: [.endpoint]) { try await store.check() }
        }
    }
}
