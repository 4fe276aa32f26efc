import CResources
import DaylyTesting
import Foundation
import NIOCore
import ObjectStorage
import Testing

@testable import DaylyServer

/// Runs `dayly` on a fake bucket.
private func dayly(
    _ bucket: FakeBucket, _ more: [String: String] = [:], _ arguments: String...
) async throws -> Command.Outcome {
    let folder = try TemporaryFolder()
    return try await Command(
        arguments: arguments,
        environment: Fixture.development(in: folder, bucket.environment.merging(more) { $1 })
    ).run()
}

@Suite("dayly bucket", .serialized)
struct BucketTests {
    /// Guard: a service on plain http is not locked out by the policy (`BucketPlan`)
    @Test("show prints for each setting the line that mends it, and finds in order what has been mended")
    func show() async throws {
        try await FakeBucket.run { bucket in
            let before = try await dayly(bucket, [:], "bucket", "show")
            #expect(before.status == 3)
            let lines = before.output.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
            func line(_ command: String) throws -> String {
                let start = "aws s3api \(command) --bucket album --endpoint-url http://127.0.0.1:"
                let line = try #require(lines.first { $0.hasPrefix(start) }, "\(before.output)")
                return try #require(line.split(separator: " ", maxSplits: 8).last.map(String.init))
            }
            for setting in ["lifecycle", "CORS", "public access", "policy"] {
                #expect(before.output.contains("DIFFERS      \(setting)"))
            }
            let lifecycle = try line("put-bucket-lifecycle-configuration")
            #expect(lifecycle.contains(#""Days":3"#) && lifecycle.contains(#""Prefix":"photos/""#))
            // Without versions the server may not know the word.
            #expect(!lifecycle.contains("Noncurrent"))
            #expect(try line("put-bucket-cors").contains(#""AllowedOrigins":["http://photos.example:8080"]"#))
            #expect(try line("put-public-access-block").contains("RestrictPublicBuckets=true"))
            let policy = try line("put-bucket-policy")
            #expect(policy.contains("arn:aws:s3:::album/photos/*"))
            // This service uses plain http, so the plan leaves that statement out.
            #expect(!policy.contains("SecureTransport"))
            #expect(!before.output.contains("other rules"))
            // Only lifecycle has two lines.
            #expect(before.output.split(separator: "Run one of these").count == 2)
            #expect(before.output.split(separator: "Run this with").count == 4)

            bucket.set(FakeBucket.mended)
            bucket.set(["policy": policy.trimmingCharacters(in: ["'"])])
            let after = try await dayly(bucket, [:], "bucket", "show", "--json")
            #expect(after.status == 0, "\(after.output)")
            #expect(!after.output.contains("aws s3api"))
            #expect(bucket.state.withLock { $0.log.allSatisfy { $0.hasPrefix("GET") } })
            let versions = ["DAYLY_STORAGE_S3_DELETE_VERSIONS": "true"]
            let versioned = try await dayly(bucket, versions, "bucket", "show")
            #expect(versioned.output.contains("DIFFERS      lifecycle"))
            #expect(!versioned.output.contains("other rules"), "they are Dayly's own")
            #expect(versioned.output.contains(#""NoncurrentVersionExpiration":{"NoncurrentDays":1}"#))
            #expect(versioned.output.contains("--expire-days 3 --noncurrent-expire-days 1 --prefix photos/"))
        }
    }

    /// Guard: `bucket show` warns where its line would remove somebody else's rules (`BucketItem.caution`,
    /// `PolicyDocument.replacing`)
    @Test(
        "show warns where its line would replace somebody else's rules, and refuses a rule that deletes too early"
    )
    func others() async throws {
        try await FakeBucket.run { bucket in
            bucket.set([
                "lifecycle": """
                <LifecycleConfiguration><Rule><ID>logs</ID><Status>Enabled</Status>\
                <Filter><Prefix>logs/</Prefix></Filter><Expiration><Days>9</Days></Expiration></Rule>\
                </LifecycleConfiguration>
                """,
                "policy": #"{"Statement":{"Sid":"Theirs","Effect":"Allow","Action":"s3:GetObject"}}"#,
                "cors": """
                <CORSConfiguration><CORSRule><AllowedOrigin>https://else.example</AllowedOrigin>\
                <AllowedMethod>GET</AllowedMethod></CORSRule></CORSConfiguration>
                """,
            ])
            let shown = try await dayly(bucket, [:], "bucket", "show")
            #expect(shown.output.contains("`aws s3api get-bucket-lifecycle-configuration` shows"))
            #expect(shown.output.contains("`aws s3api get-bucket-cors` shows"))
            #expect(shown.output.contains(#""Sid":"Theirs""#))
            bucket.set([
                "lifecycle": """
                <LifecycleConfiguration><Rule><ID>it's eager</ID><Status>Enabled</Status><Prefix></Prefix>\
                <Expiration><Days>1</Days></Expiration></Rule></LifecycleConfiguration>
                """
            ])
            let eager = try await dayly(bucket, [:], "bucket", "show")
            #expect(eager.status == 3)
            #expect(
                eager.output.contains(
                    "REFUSED      lifecycle: the rule 'it's eager' deletes photos after 1 day"))
            #expect(eager.output.contains(#"mc ilm rule rm --id 'it'\''s eager' ALIAS/album"#))
        }
    }

    @Test("show tells a setting that the server lacks from one that may not be read, or a missing bucket")
    func unreadable() async throws {
        try await FakeBucket.run { bucket in
            bucket.state.withLock {
                $0.refusal = { _, target, _ in
                    if target.contains("policy=") { return (403, "AccessDenied") }
                    return target.contains("cors=") ? (501, "NotImplemented") : nil
                }
            }
            let shown = try await dayly(bucket, [:], "bucket", "show")
            #expect(shown.status == 3)
            #expect(shown.output.contains("unsupported  CORS"), "\(shown.output)")
            #expect(shown.output.contains("FORBIDDEN    policy: these credentials may not read it"))
            bucket.state.withLock { $0.refusal = { _, _, _ in (404, "NoSuchBucket") } }
            let missing = try await dayly(bucket, [:], "bucket", "show")
            #expect(missing.status == 1)
            #expect(missing.errors.contains("bucket 'album' does not exist"))
            #expect(missing.errors.contains("rclone mkdir"))
        }
    }

    @Test("versions and locks are refused unless every version is deleted and there is no default lock")
    func retention() async throws {
        try await FakeBucket.run { bucket in
            let on = "<VersioningConfiguration><Status>Enabled</Status></VersioningConfiguration>"
            bucket.state.withLock { $0.settings["versioning"] = ByteBuffer(string: on) }
            let versions = ["DAYLY_STORAGE_S3_DELETE_VERSIONS": "true"]
            bucket.set(FakeBucket.mended)
            let hiding = try await dayly(bucket, [:], "bucket", "show")
            #expect(hiding.status == 3)
            #expect(hiding.output.contains("DAYLY_STORAGE_S3_DELETE_VERSIONS"))
            let expiration = "</Expiration>"
            bucket.set([
                "lifecycle": FakeBucket.mended["lifecycle", default: ""].replacing(
                    expiration,
                    with: expiration
                        + "<NoncurrentVersionExpiration><NoncurrentDays>1</NoncurrentDays></NoncurrentVersionExpiration>"
                )
            ])
            let deleting = try await dayly(bucket, versions, "bucket", "show")
            #expect(deleting.status == 0, "\(deleting.output)")
            bucket.state.withLock {
                $0.settings["object-lock"] = ByteBuffer(
                    string: """
                        <ObjectLockConfiguration><ObjectLockEnabled>Enabled</ObjectLockEnabled><Rule>\
                        <DefaultRetention><Mode>GOVERNANCE</Mode><Days>7</Days></DefaultRetention></Rule>\
                        </ObjectLockConfiguration>
                        """)
            }
            let locked = try await dayly(bucket, versions, "bucket", "show")
            #expect(locked.status == 3)
            #expect(locked.output.contains("keeps every new object for 7 days (governance)"))
            #expect(locked.output.contains("mc retention clear --default ALIAS/album"))
        }
    }

    @Test(
        "policy prints the permissions of the credentials, with versions only if they are deleted; a folder needs none"
    )
    func policy() async throws {
        try await FakeBucket.run { bucket in
            let plain = try await dayly(bucket, [:], "bucket", "policy")
            #expect(plain.status == 0)
            #expect(plain.output.contains("arn:aws:s3:::album/photos/*"))
            #expect(!plain.output.contains("DeleteObjectVersion"))
            let versions = ["DAYLY_STORAGE_S3_DELETE_VERSIONS": "true"]
            let versioned = try await dayly(bucket, versions, "bucket", "policy")
            #expect(versioned.output.contains("s3:DeleteObjectVersion"))
            let files = try await dayly(bucket, ["DAYLY_STORAGE_KIND": "filesystem"], "bucket", "show")
            #expect(files.status == 0)
            #expect(files.output.contains("a folder has no bucket settings"))
        }
    }
}

@Suite("The lifecycle that a bucket needs")
struct BucketNeedsTests {
    private func needs(lifetime: Duration = .seconds(48 * 3_600), keepsVersions: Bool = false) throws
        -> LifecycleNeeds
    {
        LifecycleNeeds(try BucketFiles.lifecycle(), lifetime: lifetime, keepsVersions: keepsVersions)
    }

    private func rule(_ prefix: String, _ days: Int, noncurrent: Int? = nil) -> LifecycleRule {
        LifecycleRule(id: "theirs", prefix: prefix, expiration: days, noncurrent: noncurrent)
    }

    /// The rules that a bucket has once its owner has run the line.
    private func rules(_ needs: LifecycleNeeds) -> [LifecycleRule] {
        needs.file.rules.map {
            LifecycleRule(
                id: $0.id, prefix: $0.filter.prefix, expiration: $0.expiration.days,
                noncurrent: $0.noncurrent?.days)
        }
    }

    @Test("the embedded files are those of storage/")
    func files() throws {
        for (name, file) in [
            ("lifecycle", resource_lifecycle()), ("cors", resource_cors()), ("policy", resource_policy()),
            ("bucket-policy", resource_bucket_policy()),
        ] {
            let original = Shell.root.appendingPathComponent("storage/\(name).json")
            #expect(try Data(contentsOf: original) == Data([UInt8](file)))
        }
        let cors = try BucketFiles.cors(origin: "https://a.example")
        #expect(cors.rules.map(\.origins) == [["https://a.example"]])
        let block = Shell.root.appendingPathComponent("storage/public-access-block.json")
        let switches = try JSONDecoder().decode([String: Bool].self, from: try Data(contentsOf: block))
        #expect(switches.filter(\.value).keys.sorted() == PublicAccessBlock.names.sorted())
    }

    @Test("the lifecycle deletes a day after the last photo of a day has expired, for any lifetime")
    func days() throws {
        for (hours, days) in [(1, 3), (24, 3), (48, 3), (71, 3), (72, 4), (240, 11)] {
            let needs = try needs(lifetime: .seconds(hours * 3_600))
            #expect(needs.days == days)
            #expect(needs.conflicts(in: LifecycleRules(rules(needs))).isEmpty)
            #expect(needs.isMet(by: LifecycleRules(rules(needs))))
        }
    }

    @Test("rules of others may delete photos too, but not too early")
    func others() throws {
        let needs = try needs()
        let doctors = [rule(BucketLayout.doctor, 1, noncurrent: 1)]
        func met(_ rules: LifecycleRule...) -> Bool {
            needs.isMet(by: LifecycleRules(rules + doctors))
        }
        #expect(met(rule("photos/", 3)) && met(rule("photos/", 7)) && met(rule("ph", 4)))
        #expect(!met(rule("photos/", 8)) && !met(rule("photos/a", 3)) && !met(rule("other/", 3)) && !met())
        #expect(!needs.isMet(by: LifecycleRules([rule("photos/", 3)])))
        let versioned = try self.needs(keepsVersions: true)
        #expect(!versioned.isMet(by: LifecycleRules([rule("photos/", 3)] + doctors)))
        #expect(versioned.isMet(by: LifecycleRules([rule("photos/", 3, noncurrent: 1)] + doctors)))

        func conflicts(_ rule: LifecycleRule) -> Bool {
            !needs.conflicts(in: LifecycleRules([rule])).isEmpty
        }
        #expect(conflicts(rule("photos/", 2)) && conflicts(rule("", 9)) && conflicts(rule("photos/a", 1)))
        #expect(
            conflicts(rule("dayly/", 400)) && conflicts(rule("dayly/journal/", 9)) && conflicts(rule("d", 9)))
        #expect(!conflicts(rule("photos/", 3)) && !conflicts(rule("logs/", 1)))
        #expect(!conflicts(rule("dayly/doctor/", 1)))
    }

    @Test("with three clocks doctor names the wrong one, and slow answers do not count as a difference")
    func clocks() async throws {
        func findings(_ database: Double?, _ store: Double?) -> [Finding] {
            ClockChecks(
                database: database.map { ClockReading(low: $0, high: $0) },
                store: store.map { ClockReading(low: $0, high: $0 + 1) }
            ).findings
        }
        #expect(findings(1, -2).map(\.verdict) == [.ok])
        #expect(findings(nil, nil).map(\.verdict) == [.skipped])
        #expect(findings(nil, 30).map(\.message) == ["the object store is 30 s ahead of this machine"])
        let wrong = findings(-600, 0)
        #expect(wrong.count == 2)
        #expect(wrong.allSatisfy { $0.remedy?.contains("Synchronize the clock of the database") == true })
        #expect(
            findings(60, 60).allSatisfy {
                $0.remedy?.contains("Synchronize the clock of this machine") == true
            })

        let start = Date()
        let times = [start, start.addingTimeInterval(20)].makeIterator()
        let ticking = Ticking(times)
        let slow = try #require(
            await ClockReading.take(resolution: 0, now: { ticking.next() }) { start.addingTimeInterval(3) })
        #expect(slow == ClockReading(low: -17, high: 3))
        #expect(slow.difference == 0)
    }

    private final class Ticking {
        private var times: IndexingIterator<[Date]>

        init(_ times: IndexingIterator<[Date]>) { self.times = times }

        func next() -> Date { times.next() ?? .distantFuture }
    }
}
