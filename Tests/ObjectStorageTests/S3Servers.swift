import Foundation
import Logging
import ObjectStorage
import Testing

/// The S3 servers that scripts/test starts.
enum S3Server: String, CaseIterable, Sendable {
    /// OpenStack Swift with s3api: strict.
    case swift
    /// `rclone serve s3`: lax.
    case rclone

    struct NotStarted: Error, CustomStringConvertible {
        let description: String
    }

    /// Where it is, for a bucket of that name.
    func configuration(bucket: String) throws -> S3Configuration {
        let prefix = "DAYLY_TEST_S3_\(rawValue.uppercased())"
        func variable(_ name: String) throws -> String {
            guard let value = ProcessInfo.processInfo.environment["\(prefix)_\(name)"], !value.isEmpty else {
                throw NotStarted(description: "\(prefix)_\(name) is not set: run the tests by scripts/test")
            }
            return value
        }
        guard let endpoint = URL(string: try variable("URL")) else {
            throw NotStarted(description: "\(prefix)_URL is not a URL")
        }
        return S3Configuration(
            endpoint: endpoint, region: "us-east-1", bucket: bucket, accessKeyID: try variable("KEY"),
            secretAccessKey: try variable("SECRET"))
    }
}

/// Runs `body` with a store and shuts it down afterwards.
func withS3<T>(
    _ configuration: S3Configuration, backoff: Backoff = Backoff(),
    clock: @escaping @Sendable () -> Date = { Date() }, _ body: (S3ObjectStore) async throws -> T
) async throws -> T {
    let store = try S3ObjectStore(
        configuration: configuration, backoff: backoff, logger: Logger(label: "test"), clock: clock)
    do {
        let result = try await body(store)
        await store.shutdown()
        return result
    } catch {
        await store.shutdown()
        throw error
    }
}

/// Expects the store to refuse in words that hold `words`.
func expectRejected(
    naming words: String, sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Void
) async {
    await expectError("rejected", naming: words, sourceLocation, body)
}

/// Expects a failure that may pass, in words that hold `words`.
func expectUnavailable(
    naming words: String = "", sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () async throws -> Void
) async {
    await expectError("unavailable", naming: words, sourceLocation, body)
}

private func expectError(
    _ kind: String, naming words: String, _ sourceLocation: SourceLocation, _ body: () async throws -> Void
) async {
    do {
        try await body()
        Issue.record("succeeded", sourceLocation: sourceLocation)
    } catch {
        let text =
            switch error as? ObjectStoreError {
            case .rejected(let text): "rejected: \(text)"
            case .unavailable(let text): "unavailable: \(text)"
            default: "\(error)"
            }
        #expect(text.hasPrefix(kind), sourceLocation: sourceLocation)
        #expect(words.isEmpty || text.contains(words), sourceLocation: sourceLocation)
    }
}
