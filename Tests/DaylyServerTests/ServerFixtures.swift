import DaylyServer
import Foundation
import HTTPKit
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import NIOPosix
import Testing

enum Checkout {
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    static var migrations: String { root.appendingPathComponent("migrations").path }

    /// Where this build's executables are: beside the test bundle.
    static var products: URL {
        let bundle = CommandLine.arguments.first { $0.contains(".xctest") }
        guard let bundle, let end = bundle.range(of: ".xctest") else {
            return root.appendingPathComponent(".build/debug", isDirectory: true)
        }
        return URL(fileURLWithPath: String(bundle[..<end.upperBound])).deletingLastPathComponent()
    }
}

/// A folder of its own, gone when the last reference is.
final class TemporaryFolder: Sendable {
    let url: URL

    var path: String { url.path }

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent(
            "dayly-server-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    func write(_ name: String, _ text: String) throws -> String {
        let file = url.appendingPathComponent(name)
        try Data(text.utf8).write(to: file)
        return file.path
    }
}

enum Fixture {
    /// A URL at whose port no program listens.
    static let noDatabase = "postgresql://dayly@127.0.0.1:1/dayly?connect_timeout=1"

    static func development(
        in folder: TemporaryFolder, database: String = noDatabase, _ more: [String: String] = [:]
    ) -> [String: String] {
        [
            "DAYLY_ENVIRONMENT": "development",
            "DAYLY_DATA_DIR": folder.path,
            "DAYLY_DATABASE_URL": database,
            "DAYLY_DATABASE_MIGRATIONS_PATH": Checkout.migrations,
            "DAYLY_PHOTOS_WORKER_PATH": Checkout.products.appendingPathComponent("photo-worker").path,
        ].merging(more) { _, new in new }
    }

    /// Complete and without a fault.
    static func production(in folder: TemporaryFolder, _ more: [String: String] = [:]) throws -> [String:
        String]
    {
        let pem = "-----BEGIN PRIVATE KEY-----\nnot looked at here\n-----END PRIVATE KEY-----\n"
        return [
            "DAYLY_DATABASE_URL": noDatabase,
            "DAYLY_DATABASE_MIGRATIONS_PATH": Checkout.migrations,
            "DAYLY_DATA_DIR": folder.path,
            "DAYLY_HTTP_PUBLIC_URL": "https://dayly.example",
            "DAYLY_AUTH_SECRET": String(repeating: "s3cret", count: 8),
            "DAYLY_AUTH_SIGNING_KEYS": try folder.write("signing.pem", pem),
            "DAYLY_SMS_KIND": "http",
            "DAYLY_SMS_HTTP_URL": "https://sms.example/send",
            "DAYLY_SMS_HTTP_TOKEN": "gateway-token",
        ].merging(more) { _, new in new }
    }

    static func composition(
        in folder: TemporaryFolder, database: String = noDatabase, _ more: [String: String] = [:],
        overrides: ServerOverrides = ServerOverrides()
    ) async throws -> ServerComposition {
        let configuration = try await ServerConfiguration.load(
            environment: development(in: folder, database: database, more), file: nil)
        return try await ServerComposition(
            configuration: configuration, secrets: try Secrets.load(configuration), overrides: overrides,
            logger: quiet)
    }

    /// Calls the whole service over a socket.
    static func serving<Value: Sendable>(
        _ more: [String: String] = [:], database: String = noDatabase,
        overrides: ServerOverrides = ServerOverrides(),
        _ test: @escaping @Sendable (any TestClientProtocol, ServerComposition) async throws -> Value
    ) async throws -> Value {
        let folder = try TemporaryFolder()
        let composition = try await composition(in: folder, database: database, more, overrides: overrides)
        defer { withExtendedLifetime(folder) {} }
        do {
            let value = try await composition.application.test(.live) { try await test($0, composition) }
            await composition.close()
            return value
        } catch {
            await composition.close()
            throw error
        }
    }

    /// A port that nobody has now.
    static func freePort() throws -> Int {
        let channel = try ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(host: "127.0.0.1", port: 0).wait()
        defer { try? channel.close().wait() }
        return try #require(channel.localAddress?.port)
    }

    static let quiet: Logger = {
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        return logger
    }()
}
