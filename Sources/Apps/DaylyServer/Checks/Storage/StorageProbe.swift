import Foundation
import NIOCore
import ObjectStorage

/// Puts, reads and deletes an object. Its key is outside the prefix of photos, where every object has a row in the database.
/// The next probe deletes the objects of probes that were killed.
struct StorageProbe: Sendable {
    static let bytes = ByteBuffer(
        string: "dayly doctor put this object and should have deleted it.\n")

    let store: any ObjectStore
    let key: ObjectKey

    init(store: any ObjectStore) throws(ObjectStoreError) {
        self.store = store
        key = try ObjectKey(BucketLayout.doctor + UUID().uuidString.lowercased())
    }

    /// - Parameter whileThere: Runs while the object exists.
    /// - Throws: `StorageFailure` or `ObjectStoreError`.
    func run(whileThere: () async throws -> Void = {}) async throws {
        try await removeLeftovers()
        do throws(ObjectStoreError) {
            try await store.put(key, Self.bytes, contentType: "text/plain")
        } catch {
            throw Self.failure(error, "does not take an object", permission: "s3:PutObject")
        }
        do {
            try await read()
            try await whileThere()
        } catch {
            try? await delete()
            throw error
        }
        try await delete()
        guard try await store.head(key) == nil else {
            throw ObjectStoreError.corrupted("still has an object after deleting it")
        }
    }

    private func read() async throws {
        let bytes: ByteBuffer
        do throws(ObjectStoreError) {
            bytes = try await store.get(key)
        } catch {
            throw Self.failure(error, "does not give an object back", permission: "s3:GetObject")
        }
        guard bytes == Self.bytes else {
            throw ObjectStoreError.corrupted("gives back other bytes than it was given")
        }
    }

    private func delete() async throws {
        let message = "does not delete, and keeps \(key)"
        let reason: String?
        do throws(ObjectStoreError) {
            reason = try await store.delete([key])[key]
        } catch {
            throw Self.failure(error, message, permission: "s3:DeleteObject")
        }
        if let reason { throw Self.failure(.rejected(reason), message, permission: "s3:DeleteObject") }
    }

    /// A refusal after the bucket was listed: the credentials lack the permission for this call.
    private static func failure(
        _ error: ObjectStoreError, _ message: String, permission: String
    ) -> any Error {
        guard case .rejected(let reason, _) = error else { return error }
        return StorageFailure(
            message: "\(message) (\(reason))",
            remedy:
                "Allow \(permission) under photos/ and dayly/, as `dayly bucket policy` prints it.")
    }

    private func removeLeftovers() async throws(ObjectStoreError) {
        let left = try await store.list(prefix: BucketLayout.doctor)
        guard let now = try await store.currentDate() else { return }
        let old = left.objects.filter { now.timeIntervalSince($0.lastModified) > 600 }
        _ = try await store.delete(old.map(\.key))
    }
}
