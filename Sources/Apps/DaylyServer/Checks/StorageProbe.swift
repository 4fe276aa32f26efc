import Foundation
import NIOCore
import ObjectStorage

/// An object that is put, read and deleted again. It lies beside the photos: under their prefix nothing is without a
/// row in the database. What a probe that was killed has left, the next one takes away.
struct StorageProbe: Sendable {
    static let bytes = ByteBuffer(
        string: "Dayly's doctor was here and should have taken this away again.\n")

    let store: any ObjectStore
    let key: ObjectKey

    init(store: any ObjectStore) throws(ObjectStoreError) {
        self.store = store
        key = try ObjectKey(LifecycleNeeds.doctor + UUID().uuidString.lowercased())
    }

    /// - Parameter whileThere: what else to do with the object before it is deleted.
    func run(whileThere: () async throws -> Void = {}) async throws {
        try await removeLeftovers()
        do throws(ObjectStoreError) {
            try await store.put(key, Self.bytes, contentType: "text/plain")
        } catch {
            throw Self.naming(error, "it takes no object", permission: "s3:PutObject")
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
            throw ObjectStoreError.rejected("it still has an object after deleting it")
        }
    }

    private func read() async throws(ObjectStoreError) {
        let bytes: ByteBuffer
        do throws(ObjectStoreError) {
            bytes = try await store.get(key)
        } catch {
            throw Self.naming(error, "it gives no object back", permission: "s3:GetObject")
        }
        guard bytes == Self.bytes else { throw .corrupted("gives back other bytes than it was given") }
    }

    private func delete() async throws(ObjectStoreError) {
        let what = "it deletes nothing, and keeps \(key)"
        let reason: String?
        do throws(ObjectStoreError) {
            reason = try await store.delete([key])[key]
        } catch {
            throw Self.naming(error, what, permission: "s3:DeleteObject")
        }
        if let reason { throw Self.naming(.rejected(reason), what, permission: "s3:DeleteObject") }
    }

    /// Listing the bucket was allowed, so what is refused now is refused to these credentials.
    private static func naming(
        _ error: ObjectStoreError, _ what: String, permission: String
    ) -> ObjectStoreError {
        guard case .rejected(let reason) = error else { return error }
        let cause = reason.split(separator: "; ").first.map(String.init) ?? reason
        return .rejected(
            "\(what) (\(cause)); allow \(permission) under photos/ and dayly/, as `dayly bucket policy` prints it"
        )
    }

    private func removeLeftovers() async throws(ObjectStoreError) {
        let left = try await store.list(prefix: LifecycleNeeds.doctor)
        guard let now = try await store.currentDate() else { return }
        let old = left.objects.filter { now.timeIntervalSince($0.lastModified) > 600 }
        _ = try await store.delete(old.map(\.key))
    }
}
