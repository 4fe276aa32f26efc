import DaylyTesting
import Foundation
import Testing

@testable import DaylyServer

/// The secret that a database is used with, by the real program.
@Suite("Another auth.secret on the same database")
struct SecretCheckTests {
    private static let old = String(repeating: "old-", count: 8)
    private static let new = String(repeating: "new-", count: 8)

    /// `dayly` on one database, with secrets that change.
    private struct Installation {
        let database: String
        let folder: TemporaryFolder

        func environment(_ secret: String, _ previous: String) throws -> [String: String] {
            Fixture.development(
                in: folder, database: database,
                [
                    "DAYLY_AUTH_SECRET": secret, "DAYLY_AUTH_PREVIOUS_SECRETS": previous,
                    "DAYLY_HTTP_PORT": "\(try freePort())", "DAYLY_HTTP_ADMIN_PORT": "0",
                ])
        }

        func dayly(
            _ arguments: String..., secret: String, previous: String = ""
        ) async throws -> Command.Outcome {
            try await Command(arguments: arguments, environment: try environment(secret, previous)).run()
        }

        func serve(secret: String, previous: String = "") async throws {
            let server = try await RunningServer(
                environment: try environment(secret, previous), folder: folder)
            server.terminate()
            #expect(await server.exitStatus() == 0)
        }

        /// Every command that makes or compares codes refuses, and doctor says why.
        func expectRefused(secret: String) async throws {
            for arguments in [["serve"], ["restore"], ["sms", "stop", "+14155550123"]] {
                let refused = try await Command(
                    arguments: arguments, environment: try environment(secret, "")
                ).run()
                #expect(refused.status == 1)
                #expect(refused.errors.contains("auth.secret is not the one"), "\(arguments): \(refused)")
            }
            let doctor = try await dayly("doctor", secret: secret)
            #expect(doctor.status == 3 && doctor.output.contains("PROBLEM  auth.secret"), "\(doctor.output)")
        }
    }

    /// Guard: another `auth.secret` on the same database is refused, and one that follows it becomes the
    /// database's own (`SecretCheck.require`, `.adopt`)
    @Test(
        "serve and the commands refuse a secret that neither is the database's nor follows it; doctor says which it is"
    )
    func refused() async throws {
        try await withTestDatabase { database in
            let folder = try TemporaryFolder()
            let installation = Installation(database: database.url, folder: folder)
            let unused = try await installation.dayly("doctor", secret: Self.new)
            #expect(unused.output.contains("the first start of the service will note it"), "\(unused.output)")
            try await installation.serve(secret: Self.old)
            let current = try await installation.dayly("doctor", secret: Self.old)
            #expect(current.output.contains("ok       auth.secret: the one"), "\(current.output)")
            try await installation.expectRefused(secret: Self.new)

            let changing = try await installation.dayly("doctor", secret: Self.new, previous: Self.old)
            #expect(changing.output.contains("used with a previous one"), "\(changing.output)")
            try await installation.serve(secret: Self.new, previous: Self.old)
            try await installation.serve(secret: Self.new)
            try await installation.expectRefused(secret: Self.old)
        }
    }

    /// Guard: another `auth.secret` on the same database is refused, and one that follows it becomes the
    /// database's own (`SecretCheck.require`, `.adopt`)
    @Test("where the secret is lost, dayly restore --accept-secret takes another one")
    func lost() async throws {
        try await withTestDatabase { database in
            let installation = Installation(database: database.url, folder: try TemporaryFolder())
            try await installation.serve(secret: Self.old)
            let accepted = try await installation.dayly("restore", "--accept-secret", secret: Self.new)
            #expect(accepted.status == 0, "\(accepted)")
            try await installation.serve(secret: Self.new)
        }
    }
}
