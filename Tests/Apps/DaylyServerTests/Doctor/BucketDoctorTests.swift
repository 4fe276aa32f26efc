import DaylyTesting
import Foundation
import Logging
import NIOCore
import Settings
import Testing

@testable import DaylyServer
@testable import ObjectStorage

/// Findings of `dayly doctor` about a bucket.
private func doctor(_ environment: [String: String]) async throws -> String {
    let folder = try TemporaryFolder()
    let configuration = try ServerConfiguration.load(
        environment: Fixture.development(in: folder, environment), file: nil)
    let examination = await StorageChecks(configuration: configuration, logger: .silent).run()
    let findings = examination.findings + ClockChecks(database: nil, store: examination.clock).findings
    let output = findings.map(\.text).joined(separator: "\n")
    #expect(!output.contains("X-Amz-Signature"))
    if let secret = environment["DAYLY_STORAGE_S3_SECRET_ACCESS_KEY"] { #expect(!output.contains(secret)) }
    return output
}

@Suite("Doctor on a bucket", .serialized)
struct BucketDoctorTests {
    /// Runs doctor on a fresh bucket on OpenStack Swift, which `prepare` may change first.
    private func swift(
        _ more: [String: String] = [:], prepare: (S3ObjectStore) async throws -> Void = { _ in }
    ) async throws -> String {
        var configuration = try S3Server.swift.configuration(
            bucket: "doctor-\(UUID().uuidString.lowercased())")
        configuration.requestTimeout = .seconds(60)
        let environment = [
            "DAYLY_STORAGE_KIND": "s3", "DAYLY_STORAGE_S3_BUCKET": configuration.bucket,
            "DAYLY_STORAGE_S3_ENDPOINT": configuration.endpoint.absoluteString,
            "DAYLY_STORAGE_S3_ACCESS_KEY_ID": configuration.accessKeyID,
            "DAYLY_STORAGE_S3_SECRET_ACCESS_KEY": configuration.secretAccessKey,
        ]
        let store = try S3ObjectStore(configuration: configuration, logger: .silent)
        do {
            try await store.makeBucket()
            try await prepare(store)
        } catch {
            await store.shutdown()
            throw error
        }
        await store.shutdown()
        return try await doctor(environment.merging(more) { $1 })
    }

    private func put(
        _ store: S3ObjectStore, _ parameter: String, headers: [(String, String)] = [], _ body: String = ""
    ) async throws {
        let body = ByteBuffer(string: body)
        var request = store.request(.PUT)
        request.parameters = [(parameter, "")]
        request.headers = headers + [("Content-MD5", ContentMD5.header(ContentMD5.digest(body)))]
        request.body = body
        _ = try await store.transport.send(request)
    }

    @Test("on a good bucket doctor reports only the settings that the server does not have")
    func good() async throws {
        let output = try await swift()
        for words in [
            "ok       bucket: stores, returns and deletes an object", "ok       signed URLs",
            "ok       bucket versions", "warning  bucket lifecycle", "ok       clocks: within 5 s",
        ] {
            #expect(output.contains(words), "\(output)")
        }
        #expect(!output.contains("PROBLEM  bucket"))
    }

    @Test("a bucket that keeps versions is refused unless Dayly deletes the versions")
    func versioned() async throws {
        let enable: (S3ObjectStore) async throws -> Void = { store in
            try await put(
                store, "versioning",
                "<VersioningConfiguration xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">"
                    + "<Status>Enabled</Status></VersioningConfiguration>")
        }
        let refused = try await swift(prepare: enable)
        #expect(refused.contains("PROBLEM  bucket versions: are kept"))
        #expect(refused.contains("DAYLY_STORAGE_S3_DELETE_VERSIONS"))
        let accepted = try await swift(["DAYLY_STORAGE_S3_DELETE_VERSIONS": "true"], prepare: enable)
        #expect(accepted.contains("ok       bucket versions: are kept, and Dayly deletes all"))
        #expect(!accepted.contains("PROBLEM  bucket"))
    }

    @Test(
        "doctor names the fault in the credentials or the address",
        arguments: [
            ("DAYLY_STORAGE_S3_REGION", "mars-1", "us-east-1"),
            ("DAYLY_STORAGE_S3_SECRET_ACCESS_KEY", "not-the-secret", "secret"),
            ("DAYLY_STORAGE_S3_ACCESS_KEY_ID", "test:nobody", "storage.s3.access_key_id"),
            ("DAYLY_STORAGE_S3_BUCKET", "no-such-bucket-here", "'no-such-bucket-here' does not exist"),
            ("DAYLY_STORAGE_S3_ENDPOINT", "http://127.0.0.1:1", "cannot be reached"),
            ("DAYLY_STORAGE_S3_PUBLIC_ENDPOINT", "http://127.0.0.1:1", "that phones use, http://127.0.0.1:1"),
        ])
    func mistakes(variable: String, value: String, words: String) async throws {
        let output = try await swift([variable: value])
        #expect(output.contains("PROBLEM"))
        #expect(output.contains(words), "\(output)")
    }

    /// Guard: doctor removes its own leftovers (`StorageProbe`)
    @Test("doctor reports credentials that may not write or delete, and names the object left behind")
    func permissions() async throws {
        try await FakeBucket.run { bucket in
            bucket.state.withLock {
                $0.refusal = { method, target, _ in
                    method == "PUT" && !target.contains("?") ? (403, "AccessDenied") : nil
                }
            }
            let readOnly = try await doctor(bucket.environment)
            #expect(
                readOnly.contains(
                    "PROBLEM  bucket: does not take an object (the object store answered 403 AccessDenied)"
                ))
            #expect(readOnly.contains("dayly bucket policy"))
            bucket.state.withLock {
                $0.refusal = { method, target, _ in
                    method == "POST" || method == "DELETE" ? (403, "AccessDenied") : nil
                }
            }
            let keeping = try await doctor(bucket.environment)
            #expect(keeping.contains("PROBLEM  bucket: does not delete"))
            #expect(keeping.contains("s3:DeleteObject"))
            let left = bucket.state.withLock { Array($0.objects.keys) }
            #expect(left.count == 1 && left.allSatisfy { keeping.contains($0) }, "\(keeping)")
            bucket.state.withLock { $0.refusal = { _, _, _ in nil } }
            _ = try await doctor(bucket.environment)
            #expect(bucket.state.withLock { $0.objects.isEmpty })
        }
    }

    /// Guard: doctor reads as a stranger, by an expired link, and by a link to a deleted object
    /// (`OutsideChecks`)
    @Test("doctor reports a store that shows more than it should")
    func leaks() async throws {
        let cases: [(String, @Sendable (inout FakeBucket.State) -> Void)] = [
            ("shows every object to anybody", { $0.isPublic = true }),
            ("are still valid after their expiry", { $0.ignoresEnds = true }),
            ("still has an object after deleting it", { $0.remembers = true }),
            ("still read an object after its deletion", { $0.isCached = true }),
            ("are kept: deleting a photo only hides it", { $0.hasVersions = true }),
        ]
        for (words, spoil) in cases {
            try await FakeBucket.run { bucket in
                bucket.state.withLock { spoil(&$0) }
                let output = try await doctor(bucket.environment)
                #expect(output.contains("PROBLEM"))
                #expect(output.contains(words), "\(output)")
            }
        }
    }

    /// Guard: doctor reads a picture as a page of the web client (`OutsideChecks.browsers`)
    @Test(
        "doctor reads a picture as the web client's page does: over origins, and without leaving it in a cache"
    )
    func browsers() async throws {
        try await FakeBucket.run { bucket in
            let folder = try TemporaryFolder()
            let web = ["DAYLY_WEB_ENABLED": "true", "DAYLY_WEB_PATH": try WebFixture.write(in: folder)]
            let settings = bucket.environment.merging(web) { $1 }
            let refused = "warning  web client"
            let bare = try await doctor(settings)
            #expect(
                bare.contains("\(refused)")
                    && bare.contains("pages of http://photos.example:8080 may not read"))
            bucket.set(FakeBucket.mended)
            let mended = try await doctor(settings)
            #expect(mended.contains("ok       web client"))
            bucket.state.withLock { $0.dropsCacheControl = true }
            let stored = try await doctor(settings)
            #expect(stored.contains(refused) && stored.contains("browsers may keep pictures"))
            let without = try await doctor(settings.merging(["DAYLY_WEB_ENABLED": "false"]) { $1 })
            #expect(!without.contains("web client"))
        }
    }

    @Test("a missing lifecycle is a problem if the server could have one, and doctor prints what mends it")
    func lifecycle() async throws {
        try await FakeBucket.run { bucket in
            let bare = try await doctor(bucket.environment)
            #expect(bare.contains("PROBLEM  bucket lifecycle"))
            let start = "\n           "
            #expect(bare.contains(start + "aws s3api put-bucket-lifecycle-configuration --bucket album"))
            #expect(bare.contains(start + "mc ilm rule add --expire-days 3 --prefix photos/ ALIAS/album"))
            #expect(bare.contains("warning  bucket CORS"))
            bucket.set(FakeBucket.mended)
            let mended = try await doctor(bucket.environment)
            #expect(mended.contains("ok       bucket lifecycle"))
            #expect(!mended.contains("PROBLEM  bucket") && !mended.contains("warning"))
        }
    }

    @Test("serve reports at its start that a bucket only hides deleted objects")
    func serving() async throws {
        try await FakeBucket.run { bucket in
            let folder = try TemporaryFolder()
            func warning(_ more: [String: String] = [:]) async throws -> BucketRow? {
                let configuration = try ServerConfiguration.load(
                    environment: Fixture.development(in: folder, bucket.environment.merging(more) { $1 }),
                    file: nil)
                let settings = try #require(configuration.storage.s3)
                let store = try S3ObjectStore(configuration: settings, logger: .silent)
                let row = try await RetentionWarning.log(store, configuration, logger: .silent)
                await store.shutdown()
                return row
            }
            let plain = try await warning()
            #expect(plain == nil)
            let on = "<VersioningConfiguration><Status>Suspended</Status></VersioningConfiguration>"
            bucket.state.withLock { $0.settings["versioning"] = ByteBuffer(string: on) }
            let hiding = try await warning()
            #expect(hiding?.message == "were kept, and still are: deleting a photo only hides it")
            let deleting = try await warning(["DAYLY_STORAGE_S3_DELETE_VERSIONS": "true"])
            #expect(deleting == nil)
        }
    }

    @Test("a file without authorities is a problem of the configuration")
    func authorities() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("ca.pem", "no certificate")
        let environment = Fixture.development(
            in: folder,
            [
                "DAYLY_STORAGE_KIND": "s3", "DAYLY_STORAGE_S3_ENDPOINT": "https://s3.example",
                "DAYLY_STORAGE_S3_BUCKET": "album", "DAYLY_STORAGE_S3_ACCESS_KEY_ID": "key",
                "DAYLY_STORAGE_S3_SECRET_ACCESS_KEY": "secret", "DAYLY_STORAGE_S3_CA_FILE": file,
            ])
        #expect(throws: ConfigurationProblems.self) {
            try ServerConfiguration.load(environment: environment, file: nil)
        }
        _ = try folder.write("ca.pem", "-----BEGIN CERTIFICATE-----\n")
        let configuration = try ServerConfiguration.load(environment: environment, file: nil)
        #expect(configuration.storage.s3?.caFile == file)
    }
}

@Suite("Doctor on a database")
struct DatabaseDoctorTests {
    @Test("a connection without encryption or without a verified server is a warning")
    func line() {
        let url = "postgresql://dayly@db.example/dayly"
        func verdicts(_ isEncrypted: Bool, _ address: String, _ url: String) -> [Finding.Verdict] {
            DatabaseChecks.encryption(isEncrypted: isEncrypted, address: address, url: url).map(\.verdict)
        }
        #expect(verdicts(false, "", url) == [] && verdicts(false, "127.0.0.1", url) == [])
        #expect(verdicts(false, "10.0.0.7", url) == [.warning])
        #expect(verdicts(true, "10.0.0.7", url + "?sslmode=require") == [.warning])
        #expect(verdicts(true, "10.0.0.7", url + "?sslmode=verify-full") == [])
    }

    @Test(
        "doctor names the fault in the URL",
        arguments: [
            (":5432/", ":1/", "PostgreSQL runs"), ("dayly:", "nobody:", "user and password"),
            ("/dayly", "/none", "CREATE DATABASE"), ("/dayly", "/dayly?sslmode=require", "ssl = on"),
            ("127.0.0.1", "no.such.host.invalid", "host"),
        ])
    func mistakes(part: String, mistake: String, words: String) async throws {
        let server = try #require(ProcessInfo.processInfo.environment["DAYLY_TEST_DATABASE_URL"])
        let url = URLComponents(string: server)
        let place = part == ":5432/" ? ":\(url?.port ?? 0)/" : part
        let wrong = Self.replaceLast(server, place, mistake)
        let folder = try TemporaryFolder()
        let configuration = try ServerConfiguration.load(
            environment: Fixture.development(
                in: folder, database: wrong), file: nil)
        let findings = await DatabaseChecks(configuration: configuration, logger: .silent).run()
            .findings
        let text = findings.map(\.text).joined()
        #expect(text.contains(words), "\(text)")
    }

    private static func replaceLast(_ text: String, _ part: String, _ other: String) -> String {
        guard let range = text.range(of: part, options: .backwards) else { return text }
        return text.replacingCharacters(in: range, with: other)
    }
}
