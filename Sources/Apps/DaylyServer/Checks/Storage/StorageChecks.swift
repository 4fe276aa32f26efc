import CommandKit
import Foundation
import Logging
import NIOCore
import ObjectStorage

/// Checks the object store: it must be reachable, store an object, return it, delete it for good, and not show it without a
/// signed URL.
struct StorageChecks: Sendable {
    let configuration: ServerConfiguration
    let logger: Logger

    func run() async -> Examination {
        let store: any ObjectStore
        do {
            // The check signs no URL, so it needs no secret and must not create one.
            store = try Gateways.objectStore(
                configuration, secrets: Secrets(secret: Array("doctor".utf8), signingKeys: []), logger: logger
            )
        } catch {
            return Examination(findings: [Self.finding(error, fallback: "Check storage.*.")])
        }
        let examination = await examine(store)
        await store.shutdown()
        return examination
    }

    private func examine(_ store: any ObjectStore) async -> Examination {
        var examination = Examination(findings: [])
        do {
            try await store.check()
            examination.clock = try await ClockReading.take(resolution: 1) { try await store.currentDate() }
            if let s3 = store as? S3ObjectStore, let settings = configuration.storage.s3 {
                let plan = try BucketPlan(configuration, settings)
                let hasPages = configuration.web.isEnabled && !configuration.web.$path.isMissing
                let isForeign = WebServing.foreignBucket(configuration, s3) != nil
                examination.findings += try await S3Checks(
                    store: s3, plan: plan,
                    webOrigin: hasPages && isForeign ? configuration.http.origin : nil
                ).findings()
            } else {
                try await StorageProbe(store: store).run()
                examination.findings.append(.ok("bucket", "stores, returns and deletes an object"))
            }
        } catch {
            examination.findings.append(
                Self.finding(error, fallback: Self.remedy(configuration.storage.kind)))
        }
        return examination
    }

    static func finding(_ error: any Error, fallback: String) -> Finding {
        switch error {
        case let error as ObjectStoreError:
            let failure = StorageFailure(error, remedy: fallback)
            return .problem("bucket", failure.message, remedy: failure.remedy)
        case let failure as StorageFailure:
            return .problem("bucket", failure.message, remedy: failure.remedy)
        case let failure as CommandFailure:
            return .problem("bucket", failure.reason, remedy: failure.remedy)
        default: return .problem("bucket", FailureText.of(error), remedy: fallback)
        }
    }

    private static func remedy(_ kind: StorageSettings.Kind) -> String {
        switch kind {
        case .filesystem:
            "Let storage.path (DAYLY_STORAGE_PATH) name a folder that this user may write to, on a disk with room."
        case .s3: StorageFailure.checkS3Settings
        }
    }
}
