import Foundation

/// A PgBouncer for one test in front of the tests' server, in transaction mode unless the settings differ.
package final class TestPooler: Sendable {
    private static let sources = ". scripts/lib/common.sh; . scripts/lib/pgbouncer.sh"

    /// The database's URL through the pooler.
    package let url: String
    private let folder: URL

    package struct Failure: Error {
        let folder: String
    }

    /// - Parameter settings: lines of PgBouncer's configuration, such as `default_pool_size=2`.
    package init(before server: String, _ settings: [String] = []) async throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("dayly-pooler-\(UUID())")
        let started = try await Shell.run(
            "\(Self.sources); pgbouncer_start \"$DIR\" \"$URL\" \(settings.joined(separator: " "))",
            environment: ["DIR": folder.path, "URL": server])
        guard let port = Int(started.output), var parts = URLComponents(string: server) else {
            throw Failure(folder: folder.path)
        }
        parts.port = port
        url = parts.string ?? server
    }

    package func stop() async {
        _ = try? await Shell.run(
            "\(Self.sources); pgbouncer_stop \"$DIR\"", environment: ["DIR": folder.path])
        try? FileManager.default.removeItem(at: folder)
    }
}
