import Crypto
import NIOCore

/// Puts an object and confirms that the server kept it.
///
/// A server that answers 200 and keeps nothing must not lose a photo. So the store confirms every PUT by its ETag, if
/// that is an MD5, and always by the size from a HEAD. The HEAD costs one round trip beside a PUT of some hundred
/// kilobytes.
///
/// Some ETags look like an MD5 and are none: with keys of a KMS, or behind some gateways. Where an ETag is not that of the bytes,
/// the object is read back. If it has the bytes, ETags are not compared any more.
extension S3ObjectStore {
    package static let cacheControl = "private, no-store, no-transform"

    package func put(
        _ key: ObjectKey, _ bytes: ByteBuffer, contentType: String
    ) async throws(ObjectStoreError) {
        try await measured("put") { () async throws(ObjectStoreError) in
            try await putAndConfirm(key, bytes, contentType: contentType)
        }
    }

    private func putAndConfirm(
        _ key: ObjectKey, _ bytes: ByteBuffer, contentType: String
    ) async throws(ObjectStoreError) {
        let digest = ContentMD5.digest(bytes)
        var put = request(.PUT, key)
        put.deadline = .now + configuration.putDeadline
        put.headers = [
            ("Content-Type", contentType), ("Content-MD5", ContentMD5.header(digest)),
            // The store gives it back with each GET: a browser's cache would keep a picture beyond its expiry.
            ("Cache-Control", Self.cacheControl),
        ]
        put.body = bytes
        var confirm = request(.HEAD, key)
        confirm.deadline = put.deadline
        var read = request(.GET, key)
        read.deadline = put.deadline
        read.maxResponseBytes = configuration.maxObjectBytes

        // A second attempt covers bytes lost on the way. More attempts would hide a broken store.
        for _ in 1...2 {
            let response = try await transport.send(put)
            let isConfirmed = habits.withLock { $0.hasOtherETags } || response.confirms(digest)
            guard try await isThere(confirm, size: bytes.readableBytes) else { continue }
            if isConfirmed { return }
            if try await transport.send(read).body == bytes {
                habits.withLock { $0.hasOtherETags = true }
                return
            }
        }
        throw .unavailable("the object store accepted an object but did not keep it")
    }

    /// Checks twice, because some stores show a new object a moment late.
    private func isThere(_ head: S3Request, size: Int) async throws(ObjectStoreError) -> Bool {
        if let found = try await metadata(head) { return found.size == size }
        do { try await Task.sleep(for: .milliseconds(200)) } catch { throw .unavailable("cancelled") }
        return try await metadata(head)?.size == size
    }
}

extension S3Response {
    /// False only when the ETag is the MD5 of other bytes. With KMS or customer keys an ETag looks like an MD5 but is not
    /// one.
    func confirms(_ digest: Insecure.MD5Digest) -> Bool {
        let encryption = headers.first(name: "x-amz-server-side-encryption") ?? "AES256"
        guard encryption == "AES256",
            !headers.contains(name: "x-amz-server-side-encryption-customer-algorithm"),
            let etag, ContentMD5.looksLikeMD5(etag)
        else { return true }
        return etag.lowercased() == Hex.encode(digest)
    }
}
