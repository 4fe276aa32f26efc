import Foundation
import NIOCore
import ObjectStorage

/// An object as phones and strangers see it: readable by a signed URL, by that alone, for as long as it lives.
struct OutsideChecks: Sendable {
    let store: S3ObjectStore
    let key: ObjectKey
    private let now = Date()

    init(store: S3ObjectStore, key: ObjectKey) {
        self.store = store
        self.key = key
    }

    func whileThere(bytes: ByteBuffer) async -> [Finding] {
        [await signed(bytes), await expired(), await unsigned()].compactMap { $0 }
    }

    /// The same URL once more, when the object is deleted: what is in between must not remember it.
    func afterwards() async -> [Finding] {
        guard let url = try? link(from: -30, to: 300), let answer = try? await store.fetch(url),
            answer.isSuccess
        else { return [] }
        return [
            .problem(
                "signed URLs", "still read an object that is deleted",
                remedy: "A cache stands before the store: take it out, or keep it from storing anything.")
        ]
    }

    private func link(from: TimeInterval, to: TimeInterval) throws(ObjectStoreError) -> String {
        try store.presignedGet(
            key, signedAt: now.addingTimeInterval(from), expiresAt: now.addingTimeInterval(to))
    }

    private func signed(_ bytes: ByteBuffer) async -> Finding {
        let check = "signed URLs"
        do {
            let answer = try await store.fetch(try link(from: -30, to: 300))
            if answer.isSuccess, answer.body == bytes { return .ok(check, "can be read at \(place)") }
            return answer.isSuccess
                ? .problem(
                    check, "give other bytes at \(place) than were put",
                    remedy: "Let storage.s3.public_endpoint name the store itself.")
                : .problem(
                    check, "are refused at \(place) (\(answer.status))",
                    remedy:
                        "Let storage.s3.public_endpoint name the store as it knows itself: a proxy in between "
                        + "must leave path, query and Host header as they come.")
        } catch {
            let failure = StorageFailure(
                error,
                remedy:
                    "Let storage.s3.public_endpoint be where phones reach the store; see that this machine may "
                    + "connect there too, or look from another.")
            return .problem(
                check, "the store as phones reach it, \(place), \(failure.message)", remedy: failure.remedy)
        }
    }

    private func expired() async -> Finding? {
        guard let url = try? link(from: -7_200, to: -3_600), let answer = try? await store.fetch(url),
            answer.isSuccess
        else { return nil }
        return .problem(
            "signed URLs", "are good after their end too",
            remedy: "Use a store that keeps to X-Amz-Expires, and see that its clock is right.")
    }

    private func unsigned() async -> Finding? {
        let object = (try? link(from: -30, to: 300))?.split(separator: "?").first.map(String.init) ?? ""
        let remedy =
            "Take public access off: `dayly bucket apply` where the server knows the setting, and the bucket's ACL "
            + "and policy by the provider's means."
        if let answer = try? await store.fetch(object), answer.isSuccess {
            return .problem("bucket", "shows every object to anybody, unsigned", remedy: remedy)
        }
        if let answer = try? await store.fetch(store.publicURL), answer.isSuccess {
            return .problem("bucket", "lists its keys to anybody, unsigned", remedy: remedy)
        }
        return nil
    }

    /// Without the bucket or anything signed.
    private var place: String {
        store.publicURL.split(separator: "/").prefix(2).joined(separator: "//")
    }
}
