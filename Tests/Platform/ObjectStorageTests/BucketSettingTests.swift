import DaylyTesting
import Foundation
import NIOCore
import Testing

@testable import ObjectStorage

@Suite("A bucket's settings", .serialized)
struct BucketSettingTests {
    private static func error(_ code: String) -> String { "<Error><Code>\(code)</Code></Error>" }

    /// Answers of servers to GetBucketLifecycleConfiguration, and their meaning.
    private static let answers: [(status: String, body: String, meaning: String)] = [
        ("404 Not Found", error("NoSuchLifecycleConfiguration"), "unset"),
        ("404 Not Found", "", "unset"),
        ("200 OK", "", "unset"),
        ("200 OK", "<LifecycleConfiguration></LifecycleConfiguration>", "set"),
        ("200 OK", "<ListBucketResult></ListBucketResult>", "unsupported"),
        ("200 OK", "<LifecycleConfiguration>", "unsupported"),
        ("404 Not Found", error("NoSuchKey"), "unsupported"),
        ("400 Bad Request", error("InvalidArgument"), "unsupported"),
        ("405 Method Not Allowed", "", "unsupported"),
        ("409 Conflict", error("BucketAlreadyExists"), "unsupported"),
        ("501 Not Implemented", error("NotImplemented"), "unsupported"),
        ("403 Forbidden", error("AccessDenied"), "forbidden"),
    ]

    /// Guard: a listing does not count as an answer about a setting (`S3ObjectStore.tree`
    /// (`BucketPart.root`))
    @Test("each server's way to say that it has no such setting is understood", arguments: answers.indices)
    func reading(index: Int) async throws {
        let (status, body, meaning) = Self.answers[index]
        try await withScriptedS3({ _, _ in .answer(status, body: body) }) { store, server in
            let setting = try await store.lifecycle()
            #expect(String(describing: setting).hasPrefix(meaning))
            #expect(server.requests.map(\.target) == ["/bucket?lifecycle="])
        }
    }

    @Test(
        "wrong credentials and a missing bucket are not taken for a missing setting",
        arguments: [
            ("404 Not Found", "NoSuchBucket", .bucket),
            ("403 Forbidden", "SignatureDoesNotMatch", .credentials),
            ("403 Forbidden", "InvalidAccessKeyId", .accessKeyID),
            ("301 Moved Permanently", "PermanentRedirect", .address),
        ] as [(String, String, ObjectStoreError.Culprit)])
    func fatal(status: String, code: String, culprit: ObjectStoreError.Culprit) async throws {
        try await withScriptedS3({ _, _ in .answer(status, body: Self.error(code)) }) { store, _ in
            await expectRejected(culprits: [culprit]) { _ = try await store.cors() }
        }
        try await withScriptedS3({ _, _ in .answer("500 Oops") }) { store, _ in
            await expectUnavailable { _ = try await store.policy() }
        }
    }

    /// Guard: a rule is read in every form of its filter (`LifecycleRules`)
    @Test("a rule's parts, in every way to write its filter")
    func lifecycleRules() throws {
        let xml = """
            <LifecycleConfiguration><Rule><ID>a &amp; b</ID><Status>Enabled</Status>\
            <Filter><And><Prefix>logs/</Prefix><Tag><Key>k</Key><Value>v</Value></Tag></And></Filter>\
            <Transition><Days>1</Days><StorageClass>GLACIER</StorageClass></Transition></Rule>\
            <Rule><Prefix>old/</Prefix><Status>Disabled</Status>\
            <Expiration><Date>2030-01-01T00:00:00Z</Date></Expiration></Rule>\
            <Rule><ID>c</ID><Filter></Filter><Status>Enabled</Status><Expiration><Days>9</Days></Expiration>\
            </Rule></LifecycleConfiguration>
            """
        let rules = LifecycleRules(xml: try #require(XMLTree(xml.utf8)))
        #expect(rules.rules.map(\.id) == ["a & b", nil, "c"])
        #expect(rules.rules.map(\.prefix) == ["logs/", "old/", ""])
        #expect(rules.rules.map(\.isPartial) == [true, false, false])
        #expect(rules.rules.map(\.isEnabled) == [true, false, true])
        #expect(rules.rules.map(\.expiresByDate) == [false, true, false])
        #expect(rules.rules.map(\.expirationDays) == [nil, nil, 9])
    }

    @Test("a page's rule is allowed by one that allows more")
    func corsRules() {
        func rule(_ origins: Set<String>, _ methods: Set<String>, _ headers: Set<String>) -> CORSRule {
            CORSRule(origins: origins, methods: methods, headers: headers, exposed: ["ETag"])
        }
        let wanted = rule(["https://a.example"], ["GET", "HEAD"], ["Range"])
        #expect(wanted.allows(wanted))
        #expect(rule(["*"], ["GET", "HEAD", "PUT"], ["range", "x"]).allows(wanted))
        #expect(!rule(["https://b.example"], ["GET", "HEAD"], ["Range"]).allows(wanted))
        #expect(!rule(["https://a.example"], ["GET"], ["Range"]).allows(wanted))
        #expect(!rule(["https://a.example"], ["GET", "HEAD"], []).allows(wanted))
    }

    @Test("a policy that a server writes in its own way is the same policy, and others' statements stay")
    func policies() throws {
        let ours = """
            {"Version": "2012-10-17", "Statement": [{"Sid": "A", "Effect": "Deny", "Principal": "*",
            "Action": ["s3:*"], "Resource": ["r/*", "r"],
            "Condition": {"Bool": {"aws:SecureTransport": "false"}, "N": {"a": 5}}}]}
            """
        let theirs = """
            {"Statement": [{"Sid": "Other", "Effect": "Allow"},
            {"Condition": {"N": {"a": "5"}, "Bool": {"aws:SecureTransport": false}}, "Sid": "A",
            "Effect": "Deny", "Principal": {"AWS": ["*"]}, "Action": "s3:*", "Resource": ["r", "r/*"]}],
            "Id": "named"}
            """
        let wanted = try #require(PolicyDocument(json: ByteBuffer(string: ours)))
        let found = try #require(PolicyDocument(json: ByteBuffer(string: theirs)))
        #expect(found.holds(wanted.statements))
        #expect(!PolicyDocument().holds(wanted.statements))
        let other = try #require(
            PolicyDocument(json: ByteBuffer(string: ours.replacingOccurrences(of: "Deny", with: "Allow"))))
        #expect(!found.holds(other.statements))
        let merged = try #require(PolicyDocument(json: found.replacing(other.statements).json))
        #expect(merged.statements.map(\.sid) == ["Other", "A"])
        #expect(merged.holds(other.statements))
        #expect(String(buffer: merged.json).contains("named"))
        #expect(PolicyDocument(json: ByteBuffer(string: "<ListBucketResult/>")) == nil)
    }

    @Test("the four switches against the public")
    func publicAccess() throws {
        let xml = """
            <PublicAccessBlockConfiguration><BlockPublicAcls>TRUE</BlockPublicAcls>\
            <IgnorePublicAcls>true</IgnorePublicAcls><BlockPublicPolicy>false</BlockPublicPolicy>\
            </PublicAccessBlockConfiguration>
            """
        let block = PublicAccessBlock(xml: try #require(XMLTree(xml.utf8)))
        #expect(block.switches == ["BlockPublicAcls", "IgnorePublicAcls"])
        #expect(!block.isComplete)
        let all = xml.replacing("false</BlockPublicPolicy>", with: "true</BlockPublicPolicy>").replacing(
            "</Public", with: "<RestrictPublicBuckets>true</RestrictPublicBuckets></Public")
        #expect(PublicAccessBlock(xml: try #require(XMLTree(all.utf8))).isComplete)
    }

    @Test("versions and locks, as AWS tells them")
    func retention() async throws {
        let locked = """
            <ObjectLockConfiguration><ObjectLockEnabled>Enabled</ObjectLockEnabled>%</ObjectLockConfiguration>
            """
        let rule =
            "<Rule><DefaultRetention><Mode>COMPLIANCE</Mode><Days>30</Days></DefaultRetention></Rule>"
        let on = """
            <VersioningConfiguration><Status>Enabled</Status><MfaDelete>Enabled</MfaDelete>\
            </VersioningConfiguration>
            """
        let cases: [(String, String, BucketRetention)] = [
            (
                on, locked.replacingOccurrences(of: "%", with: rule),
                BucketRetention(
                    versioning: .enabled, lock: .always(mode: "COMPLIANCE", period: "30 days"), needsMFA: true
                )
            ),
            (
                "<VersioningConfiguration/>", locked.replacingOccurrences(of: "%", with: ""),
                BucketRetention(versioning: .never, lock: .possible)
            ),
            (
                "<ListBucketResult/>", "<ListBucketResult/>",
                BucketRetention(versioning: .unsupported, lock: .unsupported)
            ),
        ]
        for (versioning, lock, expected) in cases {
            try await withScriptedS3({ request, _ in
                .answer("200 OK", body: request.target.contains("versioning") ? versioning : lock)
            }) { store, _ in
                let retention = try await store.retention()
                #expect(retention == expected)
            }
        }
    }

    @Test(
        "neither of the real servers has lifecycles, CORS or policies, and both say it",
        arguments: S3Server.allCases)
    func realServers(server: S3Server) async throws {
        let configuration = try server.configuration(bucket: "dayly-test-\(UUID().uuidString.lowercased())")
        try await withS3(configuration) { store in
            try await store.makeBucket()
            let lifecycle = try await store.lifecycle()
            let cors = try await store.cors()
            let policy = try await store.policy()
            let block = try await store.publicAccessBlock()
            for setting in ["\(lifecycle)", "\(cors)", "\(policy)", "\(block)"] {
                #expect(setting == "unsupported")
            }
        }
    }
}
