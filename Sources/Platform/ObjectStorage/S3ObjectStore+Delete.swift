import NIOCore
import NIOHTTP1

/// Deleting by DeleteObjects, a thousand at a time, and one by one what it cannot name or does not mention.
extension S3ObjectStore {
    static let maxKeysPerDelete = 1_000

    package func delete(_ keys: [ObjectKey]) async throws(ObjectStoreError) -> [ObjectKey: String] {
        try await measured("delete") { () async throws(ObjectStoreError) in
            var failures: [ObjectKey: String] = [:]
            var rest = Array(Set(keys))[...]
            while !rest.isEmpty {
                let batch = rest.prefix(Self.maxKeysPerDelete)
                rest = rest.dropFirst(batch.count)
                failures.merge(try await deleteBatch(batch)) { $1 }
            }
            return failures
        }
    }

    private func deleteBatch(
        _ keys: ArraySlice<ObjectKey>
    ) async throws(ObjectStoreError) -> [ObjectKey: String] {
        let named = keys.filter { DeleteObjects.canName($0) }
        var failures: [ObjectKey: String] = [:]
        var unmentioned = Set(keys)
        if let answer = try await deleteObjects(named) {
            failures = answer.failures
            unmentioned.subtract(answer.deleted)
            unmentioned.subtract(failures.keys)
        }
        for key in unmentioned {
            if let reason = try await deleteOne(key) { failures[key] = reason }
        }
        return failures
    }

    /// `nil` when there is nothing to ask or the server has no DeleteObjects.
    private func deleteObjects(_ keys: [ObjectKey]) async throws(ObjectStoreError) -> DeleteObjects.Answer? {
        guard !keys.isEmpty else { return nil }
        let body = DeleteObjects.body(keys)
        var request = request(.POST)
        request.parameters = [("delete", "")]
        request.headers = [
            ("Content-Type", "application/xml"), ("Content-MD5", ContentMD5.header(ContentMD5.digest(body))),
        ]
        request.body = body
        request.maxResponseBytes = 8 << 20
        allowDeleting(&request)
        let response = try await transport.exchange(request)
        if let failure = S3Failure(response) {
            if response.status == 405 || response.status == 501 { return nil }
            throw failure.error(configuration)
        }
        guard let answer = DeleteObjects.Answer(response.body) else {
            throw .unavailable("the object store's answer to DeleteObjects cannot be read")
        }
        return answer
    }

    /// Why the object could not be deleted, `nil` when it is gone.
    private func deleteOne(_ key: ObjectKey) async throws(ObjectStoreError) -> String? {
        var request = request(.DELETE, key)
        allowDeleting(&request)
        let response = try await transport.exchange(request)
        guard let failure = S3Failure(response) else { return nil }
        let error = failure.error(configuration)
        return error == .notFound ? nil : failure.summary
    }

    /// A thousand deletes take seconds on some servers: half a minute for an attempt, a minute for all.
    private func allowDeleting(_ request: inout S3Request) {
        request.attemptTimeout = max(configuration.deleteTimeout, configuration.requestTimeout)
        request.deadline = .now + request.attemptTimeout * 2
    }
}

/// The body and the answer of DeleteObjects.
enum DeleteObjects {
    /// XML 1.0 cannot hold most control characters, nor U+FFFE and U+FFFF.
    static func canName(_ key: ObjectKey) -> Bool {
        key.rawValue.unicodeScalars.allSatisfy { scalar in
            scalar.value >= 0x20 && scalar.value != 0xFFFE && scalar.value != 0xFFFF
        }
    }

    static func body(_ keys: [ObjectKey]) -> ByteBuffer {
        let objects = keys.map { "<Object><Key>\(escape($0.rawValue))</Key></Object>" }.joined()
        return ByteBuffer(
            string: """
                <?xml version="1.0" encoding="UTF-8"?>\
                <Delete xmlns="http://s3.amazonaws.com/doc/2006-03-01/">\(objects)</Delete>
                """)
    }

    private static func escape(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&apos;"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    struct Answer: Sendable {
        var deleted: Set<ObjectKey> = []
        var failures: [ObjectKey: String] = [:]

        /// `nil` when it is not a whole `DeleteResult`. A 200 may still hold an `Error` for each key, and some
        /// servers put one `Error` in place of the result.
        init?(_ body: ByteBuffer) {
            guard let xml = XMLTree(body.readableBytesView), xml.name == "DeleteResult" else { return nil }
            deleted = Set(xml.all("Deleted").compactMap { $0["Key"] }.map(ObjectKey.init(listed:)))
            for error in xml.all("Error") {
                guard let key = error["Key"].map(ObjectKey.init(listed:)) else { return nil }
                let code = String((error["Code"] ?? "unknown").prefix(64))
                if code == "NoSuchKey" { deleted.insert(key) } else { failures[key] = code }
            }
            deleted.subtract(failures.keys)
        }
    }
}
