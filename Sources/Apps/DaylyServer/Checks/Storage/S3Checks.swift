import Foundation
import ObjectStorage

/// Checks a bucket on S3: the probe object, access from outside, and the bucket's settings.
struct S3Checks: Sendable {
    let store: S3ObjectStore
    let plan: BucketPlan
    /// The origin of the web client's pages; nil without it.
    var webOrigin: String?

    func findings() async throws -> [Finding] {
        var verdict = RetentionVerdict(retention: try await store.retention(), plan.s3)
        let probed = await probe()
        verdict.showsVersions = probed.showsVersions
        let rows = verdict.rows + (try await BucketVerdict(store: store, plan: plan).settingRows())
        return probed.findings + rows.map(Self.finding)
    }

    private struct Probed {
        var findings: [Finding] = []
        /// Whether the probe object had a version ID.
        var showsVersions = false
    }

    private func probe() async -> Probed {
        var probed = Probed()
        do {
            let probe = try StorageProbe(store: store)
            let outside = OutsideChecks(store: store, key: probe.key, webOrigin: webOrigin)
            try await probe.run {
                probed.showsVersions = try await store.head(probe.key)?.versionID != nil
                probed.findings = await outside.whileThere(bytes: StorageProbe.bytes)
            }
            let isReadable = probed.findings.allSatisfy { $0.verdict != .problem }
            probed.findings.insert(.ok("bucket", "stores, returns and deletes an object"), at: 0)
            if store.deletesOneByOne {
                probed.findings.append(
                    .warning(
                        "bucket", "has no DeleteObjects: the sweeper deletes objects one by one",
                        remedy:
                            "Nothing has to be done. Each photo costs two requests more, and a large backlog takes longer."
                    ))
            }
            if isReadable { probed.findings += await outside.afterwards() }
        } catch {
            probed.findings.append(StorageChecks.finding(error, fallback: StorageFailure.checkS3Settings))
        }
        return probed
    }

    private static func finding(_ row: BucketRow) -> Finding {
        let check = "bucket \(row.setting)"
        let isLifecycle = row.setting == BucketVerdict.lifecycleName
        switch row.state {
        case .inOrder: return .ok(check, row.message)
        case .differs where isLifecycle: return .problem(check, row.message, remedy: row.fullRemedy ?? "")
        case .differs, .forbidden: return .warning(check, row.message, remedy: row.fullRemedy)
        case .unsupported where isLifecycle: return .warning(check, row.message, remedy: row.remedy)
        case .unsupported: return .skipped(check, row.message)
        case .refused: return .problem(check, row.message, remedy: row.fullRemedy ?? "")
        }
    }
}
