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
    @Test("apply sets everything once and finds it in order the next time")
    func apply() async throws {
        try await FakeBucket.run { bucket in
            let before = try await dayly(bucket, [:], "bucket", "show")
            #expect(before.status == 3)
            #expect(before.output.contains("DIFFERS      lifecycle"))
            let dry = try await dayly(bucket, [:], "bucket", "apply", "--dry-run", "--json")
            #expect(dry.status == 3)
            #expect(dry.output.contains(#""state":"differs""#))
            let puts = bucket.state.withLock { $0.log.filter { $0.hasPrefix("PUT") } }
            #expect(puts == [])

            let first = try await dayly(bucket, [:], "bucket", "apply")
            #expect(first.status == 0, "\(first.output)")
            for setting in ["lifecycle", "CORS", "public access", "policy"] {
                #expect(first.output.contains("set          \(setting)"))
            }
            #expect(bucket.setting("lifecycle").contains("<Prefix>photos/</Prefix>"))
            #expect(bucket.setting("lifecycle").contains("<Days>3</Days>"))
            #expect(
                bucket.setting("cors").contains("<AllowedOrigin>http://photos.example:8080</AllowedOrigin>"))
            #expect(bucket.setting("policy").contains("arn:aws:s3:::album/photos/*"))
            // This service uses plain http, so the plan leaves that statement out.
            #expect(!bucket.setting("policy").contains("SecureTransport"))
            let count = bucket.state.withLock { $0.log.count { $0.hasPrefix("PUT /album?") } }
            #expect(count == 4)

            let second = try await dayly(bucket, [:], "bucket", "apply")
            #expect(second.status == 0)
            #expect(!second.output.contains("set     "))
            let after = bucket.state.withLock { $0.log.count { $0.hasPrefix("PUT /album?") } }
            #expect(after == count)
            let shown = try await dayly(bucket, [:], "bucket", "show")
            #expect(shown.status == 0)
        }
    }

    /// Guard: rules and statements of others stay (`LifecycleRules.replacing`, `PolicyDocument.replacing`)
    @Test("apply keeps the settings of others, and refuses a rule that deletes photos too early")
    func others() async throws {
        try await FakeBucket.run { bucket in
            bucket.state.withLock {
                $0.settings["lifecycle"] = ByteBuffer(
                    string: """
                        <LifecycleConfiguration><Rule><ID>logs</ID><Status>Enabled</Status>\
                        <Filter><Prefix>logs/</Prefix></Filter><Transition><Days>9</Days>\
                        <StorageClass>GLACIER</StorageClass></Transition></Rule></LifecycleConfiguration>
                        """)
                $0.settings["policy"] = ByteBuffer(
                    string: #"{"Statement":{"Sid":"Theirs","Effect":"Allow","Action":"s3:GetObject"}}"#)
                $0.settings["cors"] = ByteBuffer(
                    string: """
                        <CORSConfiguration><CORSRule><AllowedOrigin>https://else.example</AllowedOrigin>\
                        <AllowedMethod>GET</AllowedMethod></CORSRule></CORSConfiguration>
                        """)
            }
            let outcome = try await dayly(bucket, [:], "bucket", "apply")
            #expect(outcome.status == 0)
            #expect(bucket.setting("lifecycle").contains("GLACIER"))
            #expect(bucket.setting("policy").contains("Theirs"))
            #expect(bucket.setting("cors").contains("https://else.example"))
            bucket.state.withLock {
                $0.settings["lifecycle"] = ByteBuffer(
                    string: """
                        <LifecycleConfiguration><Rule><ID>eager</ID><Status>Enabled</Status><Prefix></Prefix>\
                        <Expiration><Days>1</Days></Expiration></Rule></LifecycleConfiguration>
                        """)
            }
            let eager = try await dayly(bucket, [:], "bucket", "apply")
            #expect(eager.status == 3)
            #expect(
                eager.output.contains("REFUSED      lifecycle: the rule 'eager' deletes photos after 1 day"))
        }
    }

    /// Guard: a setting counts as set once the server shows it (`BucketItem.row` (`isKept`))
    @Test("apply reports each setting that it could not set, with a state of its own")
    func failures() async throws {
        try await FakeBucket.run { bucket in
            bucket.state.withLock { $0.isForgetful = true }
            let forgetful = try await dayly(bucket, [:], "bucket", "apply")
            #expect(forgetful.status == 1)
            #expect(
                forgetful.output.contains(
                    "FAILED       lifecycle: the server accepted it but does not show it"))
            bucket.state.withLock {
                $0.isForgetful = false
                $0.refusal = { method, target, _ in
                    if method == "GET", target.contains("policy=") { return (403, "AccessDenied") }
                    guard method == "PUT" else { return nil }
                    if target.contains("cors") { return (403, "AccessDenied") }
                    return target.contains("lifecycle") ? (400, "InvalidRequest") : (501, "NotImplemented")
                }
            }
            let refusing = try await dayly(bucket, [:], "bucket", "apply")
            #expect(refusing.status == 1)
            for words in [
                "FAILED       lifecycle: the object store answered 400 InvalidRequest",
                "FORBIDDEN    CORS: these credentials may not set it", "unsupported  public access",
                "FORBIDDEN    policy: these credentials may not read it",
            ] {
                #expect(refusing.output.contains(words), "\(refusing.output)")
            }
            bucket.state.withLock { $0.refusal = { _, _, _ in (404, "NoSuchBucket") } }
            let missing = try await dayly(bucket, [:], "bucket", "apply")
            #expect(missing.status == 1)
            #expect(missing.errors.contains("bucket 'album' does not exist"))
        }
    }

    /// Guard: a policy that locks out the service is taken back (`BucketSetup.setPolicy`)
    @Test("a policy under which the server refuses everything is undone")
    func lockedOut() async throws {
        try await FakeBucket.run { bucket in
            bucket.state.withLock { $0.overlooksConditions = true }
            let outcome = try await dayly(bucket, [:], "bucket", "apply")
            #expect(outcome.status == 1)
            #expect(outcome.output.contains("FAILED       policy: under this policy"), "\(outcome.output)")
            #expect(bucket.setting("policy") == "")
            #expect(bucket.state.withLock { $0.objects.isEmpty })
        }
    }

    @Test("a server without versions gets a rule that does not mention versions")
    func withoutVersions() async throws {
        try await FakeBucket.run { bucket in
            bucket.state.withLock {
                $0.refusal = { method, target, body in
                    method == "PUT" && String(buffer: body).contains("Noncurrent")
                        ? (501, "NotImplemented") : nil
                }
            }
            let outcome = try await dayly(bucket, [:], "bucket", "apply")
            #expect(outcome.status == 0, "\(outcome.output)")
            #expect(outcome.output.contains("set          lifecycle"))
            #expect(bucket.setting("lifecycle").contains("photos/"))
            let versions = ["DAYLY_STORAGE_S3_DELETE_VERSIONS": "true"]
            let versioned = try await dayly(bucket, versions, "bucket", "show")
            #expect(versioned.output.contains("DIFFERS      lifecycle"))
        }
    }

    /// Guard: a bucket that locks every new object is refused (`RetentionVerdict`)
    @Test("versions and locks are refused unless every version is deleted and there is no default lock")
    func retention() async throws {
        try await FakeBucket.run { bucket in
            let on = "<VersioningConfiguration><Status>Enabled</Status></VersioningConfiguration>"
            bucket.state.withLock { $0.settings["versioning"] = ByteBuffer(string: on) }
            let versions = ["DAYLY_STORAGE_S3_DELETE_VERSIONS": "true"]
            let hiding = try await dayly(bucket, [:], "bucket", "apply")
            #expect(hiding.status == 3)
            #expect(hiding.output.contains("DAYLY_STORAGE_S3_DELETE_VERSIONS"))
            let deleting = try await dayly(bucket, versions, "bucket", "apply")
            #expect(deleting.status == 0)
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
            let files = try await dayly(bucket, ["DAYLY_STORAGE_KIND": "filesystem"], "bucket", "apply")
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
        LifecycleNeeds(
            rules: try BucketFiles.lifecycle(), lifetime: lifetime, keepsVersions: keepsVersions)
    }

    private func rule(_ prefix: String, _ days: Int, noncurrent: Int? = nil) -> LifecycleRule {
        LifecycleRule(id: "theirs", prefix: prefix, expiration: days, noncurrent: noncurrent, abort: nil)
    }

    @Test("the embedded files are those of storage/")
    func files() throws {
        for (name, file) in [
            ("lifecycle", resource_lifecycle()), ("cors", resource_cors()), ("policy", resource_policy()),
            ("bucket-policy", resource_bucket_policy()),
            ("public-access-block", resource_public_access_block()),
        ] {
            let original = Shell.root.appendingPathComponent("storage/\(name).json")
            #expect(try Data(contentsOf: original) == Data([UInt8](file)))
        }
        #expect(try BucketFiles.publicAccessBlock().isComplete)
        #expect(try BucketFiles.cors(origin: "https://a.example").map(\.origins) == [["https://a.example"]])
    }

    @Test("the lifecycle deletes a day after the last photo of a day has expired, for any lifetime")
    func days() throws {
        for (hours, days) in [(1, 3), (24, 3), (48, 3), (71, 3), (72, 4), (240, 11)] {
            let needs = try needs(lifetime: .seconds(hours * 3_600))
            #expect(needs.days == days)
            #expect(needs.conflicts(in: LifecycleRules(needs.rules)).isEmpty)
            #expect(needs.isMet(by: LifecycleRules(needs.rules)))
        }
    }

    /// Guard: no rule of the bucket deletes a photo before its end, nor what lies under `dayly/`
    /// (`LifecycleNeeds.conflicts`)
    @Test("rules of others may delete photos too, but not too early")
    func others() throws {
        let needs = try needs()
        let own = try BucketFiles.lifecycle()
        func met(_ rules: LifecycleRule...) -> Bool {
            needs.isMet(by: LifecycleRules(rules + own.filter { $0.prefix == BucketLayout.doctor }))
        }
        #expect(met(rule("photos/", 3)) && met(rule("photos/", 7)) && met(rule("ph", 4)))
        #expect(!met(rule("photos/", 8)) && !met(rule("photos/a", 3)) && !met(rule("other/", 3)) && !met())
        #expect(!needs.isMet(by: LifecycleRules([rule("photos/", 3)])))
        let versioned = try self.needs(keepsVersions: true)
        let doctors = own.filter { $0.prefix == BucketLayout.doctor }
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

    /// Guard: clocks are judged by bounds, and the odd one of three is named (`ClockReading`, `ClockChecks`)
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
