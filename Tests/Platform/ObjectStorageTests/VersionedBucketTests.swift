import DaylyTesting
import Foundation
import NIOCore
import Testing

@testable import ObjectStorage

@Suite("Buckets that keep versions")
struct VersionedBucketTests {
    /// Runs `body` with a fresh bucket of OpenStack Swift that keeps versions.
    private func withVersions(
        change: (inout S3Configuration) -> Void = { $0.deletesVersions = true },
        _ body: (S3ObjectStore) async throws -> Void
    ) async throws {
        var configuration = try S3Server.swift.configuration(
            bucket: "dayly-test-\(UUID().uuidString.lowercased())")
        try await withS3(configuration) { store in
            try await store.makeBucket()
            try await store.setVersioning("Enabled")
        }
        change(&configuration)
        try await withS3(configuration, body)
    }

    @Test("a versioned bucket is seen to be one, while it is on and after")
    func retention() async throws {
        try await withVersions { store in
            #expect(try await store.retention() == BucketRetention(versioning: .enabled, lock: .none))
            try await store.setVersioning("Suspended")
            #expect(try await store.retention() == BucketRetention(versioning: .suspended, lock: .none))
        }
    }

    @Test("an object deleted without its versions can still be read; with them it is gone")
    func gone() async throws {
        try await withVersions(change: { _ in }) { store in
            try await store.put("photos/a.jpg", ByteBuffer(string: "face"), contentType: "image/jpeg")
            #expect(try await store.delete(["photos/a.jpg"]) == [:])
            #expect(try await store.head("photos/a.jpg") == nil)
            let bytes = try #require(try await store.version(try await store.all()[1]))
            #expect(bytes == "face")
        }
        try await withVersions { store in
            for text in ["face", "another face"] {
                try await store.put("photos/a.jpg", ByteBuffer(string: text), contentType: "image/jpeg")
            }
            try await store.put("photos/a.jpg.more", ByteBuffer(string: "stays"), contentType: "image/jpeg")
            let versions = try await store.all()
            #expect(versions.count == 3)
            #expect(try await store.delete(["photos/a.jpg", "photos/absent.jpg"]) == [:])
            #expect(try await store.all().map(\.key) == ["photos/a.jpg.more"])
            for version in versions where version.key == "photos/a.jpg" {
                let bytes = try await store.version(version)
                #expect(bytes == nil)
            }
        }
    }

    /// Guard: hidden versions are listed (`S3ObjectStore.listVersions`)
    @Test("an object hidden before is listed as hidden, and deleted")
    func hidden() async throws {
        try await withVersions { store in
            for key in ["photos/hidden", "photos/null", "photos/seen"] {
                try await store.put(
                    try ObjectKey(key), ByteBuffer(string: "bytes"), contentType: "text/plain")
            }
            try await store.hide("photos/hidden")
            try await store.setVersioning("Suspended")
            try await store.hide("photos/null")
            let listing = try await store.list(prefix: "photos/")
            #expect(listing.objects.map(\.key) == ["photos/hidden", "photos/null", "photos/seen"])
            #expect(listing.objects.map(\.isHidden) == [true, true, false])
            #expect(listing.objects.last?.size == 5)
            #expect(try await store.delete(listing.objects.map(\.key)) == [:])
            #expect(try await store.all() == [])
        }
    }

    @Test("lists every key once, page by page")
    func paging() async throws {
        try await withVersions { store in
            let keys = (0..<5).map { "photos/\($0)" }
            for key in keys + keys + ["other"] {
                try await store.put(try ObjectKey(key), ByteBuffer(string: key), contentType: "text/plain")
            }
            for limit in [1, 3, 1_000] {
                var listed: [String] = []
                var continuation: String?
                repeat {
                    let page = try await store.list(
                        prefix: "photos/", continuation: continuation, limit: limit)
                    listed += page.objects.map(\.key.rawValue)
                    continuation = page.continuation
                } while continuation != nil
                #expect(listed == keys)
            }
            await expectRejected(naming: "continuation") {
                _ = try await store.list(prefix: "", continuation: "none of ours", limit: 1)
            }
        }
    }

    @Test("awkward keys lose their versions too")
    func awkward() async throws {
        try await withVersions { store in
            let keys = try (S3ServerTests.awkwardKeys + ["tab\tand\u{1}control"]).map { try ObjectKey($0) }
            for key in keys { try await store.put(key, ByteBuffer(string: "x"), contentType: "text/plain") }
            #expect(try await store.delete(keys) == [:])
            #expect(try await store.all() == [])
        }
    }

    @Test("a server without versions says so at once instead of deleting nothing")
    func noVersions() async throws {
        var configuration = try S3Server.rclone.configuration(
            bucket: "dayly-test-\(UUID().uuidString.lowercased())")
        try await withS3(configuration) { _ = try await $0.makeBucket() }
        configuration.deletesVersions = true
        try await withS3(configuration) { store in
            for call in [store.check, { _ = try await store.delete(["a"]) }] {
                await expectRejected(culprits: [.versions]) { try await call() }
            }
        }
    }

    /// Guard: a version that stays keeps its marker and fails its key (`S3ObjectStore.deleteVersions`)
    @Test("a version that stays is its key's failure, and its marker stays over it")
    func failures() async throws {
        let versions = """
            <ListVersionsResult><IsTruncated>false</IsTruncated>\
            <DeleteMarker><Key>a</Key><VersionId>3</VersionId><IsLatest>true</IsLatest>\
            <LastModified>2009-10-12T17:50:30.000Z</LastModified></DeleteMarker>\
            <Version><Key>a</Key><VersionId>2</VersionId><IsLatest>false</IsLatest>\
            <LastModified>2009-10-12T17:50:30.000Z</LastModified><Size>1</Size></Version>\
            <Version><Key>a</Key><VersionId>null</VersionId><IsLatest>false</IsLatest>\
            <LastModified>2009-10-12T17:50:30.000Z</LastModified><Size>1</Size></Version>\
            </ListVersionsResult>
            """
        let result = """
            <DeleteResult><Deleted><Key>a</Key><VersionId>2</VersionId></Deleted>\
            <Error><Key>a</Key><VersionId>null</VersionId><Code>AccessDenied</Code></Error></DeleteResult>
            """
        try await withScriptedS3({ request, _ in
            .answer("200 OK", body: request.method == "GET" ? versions : result)
        }) {
            $0.deletesVersions = true
        } _: { store, server in
            let failures = try await store.delete(["a"])
            #expect(failures == ["a": "AccessDenied"])
            #expect(server.requests.map(\.method) == ["GET", "POST"])
            let named = XMLTree(server.requests[1].body.readableBytesView)?.all("Object")
            #expect(named?.compactMap { $0["VersionId"] } == ["2", "null"])
        }
    }

    /// Guard: versions that an answer leaves out are not counted as deleted (`DeleteObjects.Answer`)
    @Test("versions that an answer leaves out are deleted one by one")
    func unmentioned() async throws {
        let versions = """
            <ListVersionsResult><IsTruncated>false</IsTruncated>\
            <Version><Key>a</Key><VersionId>2</VersionId><IsLatest>true</IsLatest>\
            <LastModified>2009-10-12T17:50:30.000Z</LastModified><Size>1</Size></Version>\
            <Version><Key>a</Key><VersionId>1</VersionId><IsLatest>false</IsLatest>\
            <LastModified>2009-10-12T17:50:30.000Z</LastModified><Size>1</Size></Version>\
            </ListVersionsResult>
            """
        try await withScriptedS3({ request, _ in
            switch request.method {
            case "GET": .answer("200 OK", body: versions)
            case "POST":
                .answer("200 OK", body: "<DeleteResult><Deleted><Key>a</Key></Deleted></DeleteResult>")
            default: .reply("HTTP/1.1 204 No Content\r\n\r\n")
            }
        }) {
            $0.deletesVersions = true
        } _: { store, server in
            let failures = try await store.delete(["a"])
            #expect(failures == [:])
            // They go out at once.
            let singly = server.requests.filter { $0.method == "DELETE" }.map(\.target).sorted()
            #expect(singly == ["/bucket/a?versionId=1", "/bucket/a?versionId=2"])
        }
    }

    @Test(
        "half a list of versions is refused",
        arguments: [
            "<ListVersionsResult><IsTruncated>true</IsTruncated></ListVersionsResult>",
            "<ListVersionsResult><Version><Key>a</Key></Version></ListVersionsResult>",
            "<ListBucketResult></ListBucketResult>", "",
        ])
    func halfAList(body: String) async throws {
        try await withScriptedS3({ _, _ in .answer("200 OK", body: body) }) {
            $0.deletesVersions = true
        } _: {
            store, server in
            await expectUnavailable(naming: "versions") { _ = try await store.delete(["a"]) }
            #expect(server.requests.allSatisfy { $0.method == "GET" })
        }
    }
}

/// Calls of the S3 API that only tests make.
extension S3ObjectStore {
    /// - Parameter status: `Enabled` or `Suspended`.
    func setVersioning(_ status: String) async throws {
        let body = ByteBuffer(
            string: """
                <VersioningConfiguration xmlns="http://s3.amazonaws.com/doc/2006-03-01/">\
                <Status>\(status)</Status></VersioningConfiguration>
                """)
        var request = request(.PUT)
        request.parameters = [("versioning", "")]
        request.headers = [("Content-MD5", ContentMD5.header(ContentMD5.digest(body)))]
        request.body = body
        _ = try await transport.send(request)
    }

    /// Puts a marker over an object.
    func hide(_ key: ObjectKey) async throws {
        _ = try await transport.send(request(.DELETE, key))
    }

    /// All versions of all objects.
    func all() async throws -> [ObjectVersion] {
        var request = request(.GET)
        request.parameters = [("versions", ""), ("encoding-type", "url")]
        request.maxResponseBytes = 1 << 20
        let answer = VersionsAnswer(try await transport.send(request).body)
        return try #require(answer).versions
    }

    /// A version's bytes, `nil` when it is gone.
    func version(_ version: ObjectVersion) async throws -> String? {
        var request = request(.GET, version.key)
        request.parameters = [("versionId", version.id)]
        let response = try await transport.exchange(request)
        return response.isSuccess ? String(buffer: response.body) : nil
    }
}
