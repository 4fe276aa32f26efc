import Foundation
import Logging
import NIOCore
import ObjectStorage

/// The object store: reachable, takes an object, gives it back, forgets it, and really forgets it.
struct StorageChecks: Sendable {
    let configuration: ServerConfiguration
    let logger: Logger

    func findings() async -> [Finding] {
        let store: any ObjectStore
        do {
            // Nothing is signed here, so no secret is needed (and none made).
            store = try Gateways.objectStore(
                configuration, secrets: Secrets(secret: Array("doctor".utf8), signingKeys: []), logger: logger
            )
        } catch {
            return [.problem("bucket", "\(error)", remedy: "Look at storage.*.")]
        }
        var findings: [Finding] = []
        do {
            try await store.check()
            try await probe(store)
            findings.append(.ok("bucket", "takes, gives and forgets an object"))
            if let s3 = store as? S3ObjectStore { findings.append(retention(try await s3.retention())) }
        } catch {
            findings.append(
                .problem("bucket", Self.text(error), remedy: Self.remedy(configuration.storage.kind)))
        }
        await store.shutdown()
        return findings
    }

    /// Under a prefix of its own: nothing under `photos/` is without a row in the database.
    private func probe(_ store: any ObjectStore) async throws {
        let key = try ObjectKey("doctor/\(UUID().uuidString.lowercased())")
        let bytes = ByteBuffer(string: "Dayly's doctor was here and should have taken this away again.\n")
        try await store.put(key, bytes, contentType: "text/plain")
        let read = try await store.get(key)
        let kept = try await store.delete([key])
        if let reason = kept[key] { throw ObjectStoreError.rejected("does not delete: \(reason)") }
        guard read == bytes else {
            throw ObjectStoreError.corrupted("gives back other bytes than it was given")
        }
        guard try await store.head(key) == nil else {
            throw ObjectStoreError.rejected("still has an object after deleting it")
        }
    }

    private func retention(_ retention: BucketRetention) -> Finding {
        let remedy = "Photos must go for good after 48 hours: use a bucket without it."
        return switch retention {
        case .none: .ok("bucket retention", "deleted is deleted")
        case .unknown: .ok("bucket retention", "the store says nothing of versions or locks")
        case .versioned: .problem("bucket retention", "versioning hides instead of deleting", remedy: remedy)
        case .locked: .problem("bucket retention", "object lock keeps what is deleted", remedy: remedy)
        }
    }

    private static func text(_ error: any Error) -> String {
        switch error {
        case ObjectStoreError.unavailable(let reason): "cannot be reached: \(reason)"
        case ObjectStoreError.rejected(let reason): "refuses: \(reason)"
        case ObjectStoreError.corrupted(let reason): reason
        default: "\(error)"
        }
    }

    private static func remedy(_ kind: ServerConfiguration.StorageKind) -> String {
        switch kind {
        case .filesystem: "Let storage.path (DAYLY_STORAGE_PATH) name a folder that this user may write to."
        case .s3: "Look at storage.s3.endpoint, .region, .bucket, .access_key_id and .secret_access_key."
        }
    }
}
