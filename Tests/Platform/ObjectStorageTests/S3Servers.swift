import DaylyTesting
import Foundation
import Logging
import NIOCore
import ObjectStorage
import Resilience
import Testing

/// Runs `body` with a store and shuts it down afterwards.
func withS3<T>(
    _ configuration: S3Configuration,
    clock: @escaping @Sendable () -> Date = { Date() }, _ body: (S3ObjectStore) async throws -> T
) async throws -> T {
    let store = try S3ObjectStore(
        configuration: configuration, logger: Logger(label: "test"), clock: clock)
    do {
        let result = try await body(store)
        await store.shutdown()
        return result
    } catch {
        await store.shutdown()
        throw error
    }
}

/// Runs `body` with a store against a server that answers as a test says. The times are long, so that a busy machine
/// does not fail a test; `change` shortens them.
func withScriptedS3(
    _ answer: @escaping @Sendable (ScriptedServer.Request, Int) -> ScriptedServer.Step,
    change: (inout S3Configuration) -> Void = { _ in },
    clock: @escaping @Sendable () -> Date = { Date() },
    _ body: (S3ObjectStore, ScriptedServer) async throws -> Void
) async throws {
    try await ScriptedServer.run(answer: answer) { server in
        var configuration = S3Configuration(
            endpoint: try server.url, bucket: "bucket", accessKeyID: "key-id", secretAccessKey: "very-secret")
        configuration.requestTimeout = .seconds(10)
        configuration.deleteTimeout = .seconds(10)
        configuration.putDeadline = .seconds(20)
        configuration.maxObjectBytes = 1_000
        configuration.backoff = Backoff(first: .milliseconds(5), longest: .milliseconds(20))
        configuration.maxAttempts = 4
        change(&configuration)
        try await withS3(configuration, clock: clock) { try await body($0, server) }
    }
}

/// An object of five bytes, and the answer to a HEAD of it.
enum Hello {
    static let bytes = ByteBuffer(string: "hello")
    static let md5 = "5d41402abc4b2a76b9719d911017c592"
    static let head = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"

    static func put(in store: S3ObjectStore) async throws {
        try await store.put("k", bytes, contentType: "image/jpeg")
    }
}

/// Expects the store to refuse with a text that contains `words`.
func expectRejected(
    naming words: String = "", culprits: Set<ObjectStoreError.Culprit> = [],
    sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Void
) async {
    await expectError("rejected", naming: words, culprits: culprits, sourceLocation, body)
}

/// Expects a temporary failure with a text that contains `words`.
func expectUnavailable(
    naming words: String = "", sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () async throws -> Void
) async {
    await expectError("unavailable", naming: words, sourceLocation, body)
}

private func expectError(
    _ kind: String, naming words: String, culprits: Set<ObjectStoreError.Culprit> = [],
    _ sourceLocation: SourceLocation, _ body: () async throws -> Void
) async {
    do {
        try await body()
        Issue.record("succeeded", sourceLocation: sourceLocation)
    } catch {
        let text =
            switch error as? ObjectStoreError {
            case .rejected(let text, _): "rejected: \(text)"
            case .unavailable(let text): "unavailable: \(text)"
            default: "\(error)"
            }
        #expect(text.hasPrefix(kind), sourceLocation: sourceLocation)
        #expect(words.isEmpty || text.contains(words), sourceLocation: sourceLocation)
        guard !culprits.isEmpty, case .rejected(_, let culprit) = error as? ObjectStoreError else { return }
        #expect(culprits.contains(culprit), sourceLocation: sourceLocation)
    }
}
