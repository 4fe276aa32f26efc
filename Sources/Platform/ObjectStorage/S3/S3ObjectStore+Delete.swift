import NIOCore
import NIOHTTP1

/// Deletes objects with DeleteObjects, a thousand at a time. A single DELETE follows for each key that DeleteObjects
/// cannot name or its answer does not mention.
///
/// Some servers have no DeleteObjects, and say so with any status. So a refusal of it that a single DELETE does not get means
/// that there is none; the process then deletes one by one.
extension S3ObjectStore {
    static let maxKeysPerDelete = 1_000
    /// The number of objects deleted at the same time one by one.
    private static let concurrentDeletes = 16

    /// Whether the server has turned out to have no DeleteObjects.
    package var deletesOneByOne: Bool { habits.withLock { $0.deletesOneByOne } }

    package func delete(_ keys: [ObjectKey]) async throws(ObjectStoreError) -> [ObjectKey: String] {
        try await measured("delete") { () async throws(ObjectStoreError) in
            var failures: [ObjectKey: String] = [:]
            var rest = Array(Set(keys))[...]
            while !rest.isEmpty {
                let batch = rest.prefix(Self.maxKeysPerDelete)
                rest = rest.dropFirst(batch.count)
                let failed =
                    configuration.deletesVersions
                    ? try await deleteVersions(of: batch)
                    : try await deleteBatch(batch.map { DeleteTarget(key: $0, version: nil) }[...])
                failures.merge(failed) { $1 }
            }
            return failures
        }
    }

    /// Deletes the versions first and the markers second: without its marker a hidden version would be visible again.
    private func deleteVersions(
        of keys: ArraySlice<ObjectKey>
    ) async throws(ObjectStoreError) -> [ObjectKey: String] {
        let versions = try await versions(of: keys)
        var failures: [ObjectKey: String] = [:]
        for isMarker in [false, true] {
            let chosen = versions.filter { $0.isMarker == isMarker && failures[$0.key] == nil }
            var rest = chosen.map { DeleteTarget(key: $0.key, version: $0.id) }[...]
            while !rest.isEmpty {
                let batch = rest.prefix(Self.maxKeysPerDelete)
                rest = rest.dropFirst(batch.count)
                failures.merge(try await deleteBatch(batch)) { $1 }
            }
        }
        return failures
    }

    private func deleteBatch(
        _ targets: ArraySlice<DeleteTarget>
    ) async throws(ObjectStoreError) -> [ObjectKey: String] {
        let named = deletesOneByOne ? [] : targets.filter { DeleteObjects.canName($0.key) }
        guard let first = named.first else { return try await deleteEach(targets) }
        let answer: DeleteObjects.Answer
        do throws(ObjectStoreError) {
            answer = try await deleteObjects(named)
        } catch .rejected(let reason, let culprit) {
            guard try await deleteOne(first) == nil else { throw .rejected(reason, culprit: culprit) }
            habits.withLock { $0.deletesOneByOne = true }
            return try await deleteEach(targets.filter { $0 != first }[...])
        } catch {
            throw error
        }
        let rest = answer.unmentioned + targets.filter { !DeleteObjects.canName($0.key) }
        return answer.failures.merging(try await deleteEach(rest[...])) { $1 }
    }

    private func deleteEach(
        _ targets: ArraySlice<DeleteTarget>
    ) async throws(ObjectStoreError) -> [ObjectKey: String] {
        var failures: [ObjectKey: String] = [:]
        var rest = targets
        while !rest.isEmpty {
            let part = rest.prefix(Self.concurrentDeletes)
            rest = rest.dropFirst(part.count)
            let answers = await withTaskGroup(of: (ObjectKey, Result<String?, ObjectStoreError>).self) {
                group in
                for target in part {
                    group.addTask { (target.key, await self.answer(for: target)) }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            for (key, answer) in answers {
                if let reason = try answer.get() { failures[key] = reason }
            }
        }
        return failures
    }

    private func answer(for target: DeleteTarget) async -> Result<String?, ObjectStoreError> {
        do throws(ObjectStoreError) {
            return .success(try await deleteOne(target))
        } catch {
            return .failure(error)
        }
    }

    /// - Throws: ``ObjectStoreError/rejected(_:culprit:)`` also for an answer that is not one to DeleteObjects.
    private func deleteObjects(
        _ targets: [DeleteTarget]
    ) async throws(ObjectStoreError) -> DeleteObjects.Answer {
        let body = DeleteObjects.body(targets)
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
            let error = failure.error(configuration)
            throw error == .notFound ? .rejected(failure.summary) : error
        }
        guard let answer = DeleteObjects.Answer(response.body, to: targets) else {
            if DeleteObjects.isTemporary(response.body) {
                throw .unavailable("the object store's answer to DeleteObjects is an error")
            }
            throw .rejected("the object store's answer to DeleteObjects cannot be read")
        }
        return answer
    }

    /// - Returns: the reason why the object could not be deleted; `nil` when it is gone.
    private func deleteOne(_ target: DeleteTarget) async throws(ObjectStoreError) -> String? {
        var request = request(.DELETE, target.key)
        if let version = target.version { request.parameters = [("versionId", version)] }
        allowDeleting(&request)
        let response = try await transport.exchange(request)
        guard let failure = S3Failure(response) else { return nil }
        let error = failure.error(configuration)
        return error == .notFound ? nil : failure.summary
    }

    /// Gives the request the time for a thousand deletions, which take seconds on some servers: `deleteTimeout` for one
    /// attempt (30 s by default) and twice as long for all attempts.
    private func allowDeleting(_ request: inout S3Request) {
        request.attemptTimeout = max(configuration.deleteTimeout, configuration.requestTimeout)
        request.deadline = .now + request.attemptTimeout * 2
    }
}

/// The body and the answer of DeleteObjects.
enum DeleteObjects {
    /// XML 1.0 cannot hold most control characters, nor U+FFFE and U+FFFF.
    static func canName(_ key: ObjectKey) -> Bool {
        if key.rawValue.utf8.allSatisfy({ (0x20..<0x80).contains($0) }) { return true }
        return key.rawValue.unicodeScalars.allSatisfy { scalar in
            scalar.value >= 0x20 && scalar.value != 0xFFFE && scalar.value != 0xFFFF
        }
    }

    static func body(_ targets: [DeleteTarget]) -> ByteBuffer {
        var body = ByteBuffer()
        body.reserveCapacity(targets.count * 128 + 128)
        body.writeString(
            """
            <?xml version="1.0" encoding="UTF-8"?>\
            <Delete xmlns="http://s3.amazonaws.com/doc/2006-03-01/">
            """)
        for target in targets {
            body.writeString("<Object><Key>")
            body.writeString(XMLTree.escape(target.key.rawValue))
            body.writeString("</Key>")
            if let version = target.version {
                body.writeString("<VersionId>\(XMLTree.escape(version))</VersionId>")
            }
            body.writeString("</Object>")
        }
        body.writeString("</Delete>")
        return body
    }

    /// Whether the body of a 200 is an error that may pass.
    static func isTemporary(_ body: ByteBuffer) -> Bool {
        guard let xml = XMLTree(body.readableBytesView), xml.name == "Error" else { return false }
        return S3Failure.temporaryCodes.contains(xml["Code"] ?? "")
    }

    struct Answer: Sendable {
        private(set) var failures: [ObjectKey: String] = [:]
        /// The targets that the answer does not mention, neither as deleted nor as failed.
        private(set) var unmentioned: [DeleteTarget] = []

        /// `nil` when the body is not a complete `DeleteResult`. A 200 may still hold an `Error` for each key, and some
        /// servers send one `Error` instead of the result.
        init?(_ body: ByteBuffer, to targets: [DeleteTarget]) {
            guard let xml = XMLTree(body.readableBytesView), xml.name == "DeleteResult" else { return nil }
            // Not every server names the versions. So a key counts as mentioned when it is mentioned as often as it was
            // requested.
            var expected: [ObjectKey: Int] = [:]
            expected.reserveCapacity(targets.count)
            for target in targets { expected[target.key, default: 0] += 1 }
            for entry in xml.all("Deleted") {
                if let key = entry["Key"] { expected[ObjectKey(listed: key)]? -= 1 }
            }
            for error in xml.all("Error") {
                guard let key = error["Key"].map(ObjectKey.init(listed:)) else { return nil }
                let code = String((error["Code"] ?? "unknown").prefix(64))
                if code == "NoSuchKey" || code == "NoSuchVersion" {
                    expected[key]? -= 1
                } else {
                    failures[key] = code
                }
            }
            unmentioned = targets.filter { failures[$0.key] == nil && expected[$0.key, default: 0] > 0 }
        }
    }
}

/// A target of a deletion: a key, or one version of it.
struct DeleteTarget: Sendable, Hashable {
    let key: ObjectKey
    let version: String?
}
