import DaylyServer
import DaylyTesting
import Foundation
import HTTPKit
import Hummingbird
import HummingbirdTesting
import Logging

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
            "DAYLY_DATABASE_MIGRATIONS_PATH": DatabaseServer.migrationsDirectory.path,
            "DAYLY_PHOTOS_WORKER_PATH": TestProducts.path("photo-worker"),
            // A checkout may have a web client near the tests' executable.
            "DAYLY_WEB_ENABLED": "false",
        ].merging(more) { _, new in new }
    }

    /// Complete and without a fault.
    static func production(in folder: TemporaryFolder, _ more: [String: String] = [:]) throws -> [String:
        String]
    {
        let pem = "-----BEGIN PRIVATE KEY-----\nnot looked at here\n-----END PRIVATE KEY-----\n"
        return [
            "DAYLY_DATABASE_URL": noDatabase,
            "DAYLY_DATABASE_MIGRATIONS_PATH": DatabaseServer.migrationsDirectory.path,
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
        let web = ["DAYLY_WEB_ENABLED": "true", "DAYLY_WEB_PATH": try WebFixture.write(in: folder)]
        let configuration = try ServerConfiguration.load(
            environment: development(in: folder, database: database, web.merging(more) { $1 }), file: nil)
        return try await ServerComposition(
            configuration: configuration, secrets: try Secrets.load(configuration), overrides: overrides,
            logger: .silent)
    }

    /// Calls the whole service over a socket.
    static func serving<Value: Sendable>(
        _ more: [String: String] = [:], database: String = noDatabase,
        overrides: ServerOverrides = ServerOverrides(),
        _ test: @escaping @Sendable (any TestClientProtocol, ServerComposition) async throws -> Value
    ) async throws -> Value {
        let folder = try TemporaryFolder()
        let composition = try await composition(in: folder, database: database, more, overrides: overrides)
        composition.gate.open()
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
}
