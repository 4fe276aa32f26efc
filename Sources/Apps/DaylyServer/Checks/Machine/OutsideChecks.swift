import Foundation
import NIOCore
import ObjectStorage

/// Reads an object as phones and strangers do: it must be readable by a valid signed URL only, and only while it exists.
struct OutsideChecks: Sendable {
    let store: S3ObjectStore
    let key: ObjectKey
    /// The origin of the web client's pages; nil if there is none, or if it is the bucket's own.
    let webOrigin: String?
    private let now = Date()

    init(store: S3ObjectStore, key: ObjectKey, webOrigin: String? = nil) {
        self.store = store
        self.key = key
        self.webOrigin = webOrigin
    }

    func whileThere(bytes: ByteBuffer) async -> [Finding] {
        [await signed(bytes), await expired(), await unsigned(), await browsers()].compactMap { $0 }
    }

    /// Reads the object as a page of the web client does.
    private func browsers() async -> Finding? {
        let check = "web client"
        guard let webOrigin, let url = try? link(from: -30, to: 300),
            let answer = try? await store.fetch(url, from: webOrigin), answer.isSuccess
        else { return nil }
        guard answer.isReadable(from: webOrigin) else {
            return .warning(
                check, "pages of \(webOrigin) may not read pictures at \(place)",
                remedy:
                    "Allow GET from that origin in the bucket's CORS settings: by the line of `bucket CORS` if the server "
                    + "has them, else by the provider's own tools. Or set web.enabled=false.")
        }
        guard answer.cacheControl?.contains("no-store") == true else {
            return .warning(
                check,
                "the store at \(place) does not send a picture's Cache-Control, so browsers may keep pictures",
                remedy: "Let the proxy in front of the store send "
                    + "Cache-Control: private, no-store, no-transform.")
        }
        return .ok(check, "its pages may read pictures at \(place)")
    }

    /// Reads the same URL after the object was deleted: a cache in front of the store must not keep it.
    func afterwards() async -> [Finding] {
        guard let url = try? link(from: -30, to: 300), let answer = try? await store.fetch(url),
            answer.isSuccess
        else { return [] }
        return [
            .problem(
                "signed URLs", "still read an object after its deletion",
                remedy: "Remove the cache in front of the store, or let it store nothing.")
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
                    check, "return other bytes at \(place) than were put",
                    remedy: "Let storage.s3.public_endpoint name the store itself.")
                : .problem(
                    check, "are refused at \(place) (\(answer.status))",
                    remedy:
                        "Let storage.s3.public_endpoint have the store's own host name. A proxy in front of it must not "
                        + "change the path, the query or the Host header.")
        } catch {
            let failure = StorageFailure(
                error,
                remedy:
                    "Set storage.s3.public_endpoint to the address at which phones reach the store, and let this "
                    + "machine connect to it too. Otherwise run the check on another machine.")
            return .problem(
                check, "the store at the address that phones use, \(place), \(failure.message)",
                remedy: failure.remedy)
        }
    }

    private func expired() async -> Finding? {
        guard let url = try? link(from: -7_200, to: -3_600), let answer = try? await store.fetch(url),
            answer.isSuccess
        else { return nil }
        return .problem(
            "signed URLs", "are still valid after their expiry",
            remedy: "Use a store that respects X-Amz-Expires, and check its clock.")
    }

    private func unsigned() async -> Finding? {
        let object = (try? link(from: -30, to: 300))?.split(separator: "?").first.map(String.init) ?? ""
        let remedy =
            "Switch public access off: by the line of `bucket public access` if the server has the setting, by "
            + "`mc anonymous set none ALIAS/BUCKET` on MinIO, and in the bucket's ACL and policy."
        if let answer = try? await store.fetch(object), answer.isSuccess {
            return .problem("bucket", "shows every object to anybody without a signature", remedy: remedy)
        }
        if let answer = try? await store.fetch(store.publicURL), answer.isSuccess {
            return .problem("bucket", "lists its keys to anybody without a signature", remedy: remedy)
        }
        return nil
    }

    /// Scheme and host, without the bucket.
    private var place: String {
        store.publicURL.split(separator: "/").prefix(2).joined(separator: "//")
    }
}
