import DaylyAPI
import DaylyClient
import DaylyClientTesting
import DaylyTesting
import Foundation
import ProgramTesting

/// The real `dayly serve` with a database and a folder of its own, behind a proxy that a test breaks.
package struct LiveService: ServesDayly {
    package let program: ServedDayly
    package let proxy: TCPProxy

    package var folder: URL { program.folder }

    /// Starts a service, runs `body`, and removes everything.
    package static func run(
        _ settings: [String: String] = [:], _ body: @Sendable (LiveService) async throws -> Void
    ) async throws {
        let database = try await TestDatabase.make()
        let result: Result<Void, any Error>
        do {
            try await withTemporaryFolder { folder in
                try await start(in: folder, on: database.url, settings, body)
            }
            result = .success(())
        } catch {
            result = .failure(error)
        }
        await database.drop()
        try result.get()
    }

    private static func start(
        in folder: URL, on database: String, _ settings: [String: String],
        _ body: (LiveService) async throws -> Void
    ) async throws {
        let all = [
            "environment": "development", "data_dir": folder.appendingPathComponent("data").path,
            "storage.kind": "filesystem", "storage.path": folder.appendingPathComponent("objects").path,
            "http.admin_port": "0", "database.url": database,
            "sms.kind": "console", "limits.enforce_rates": "false",
        ].merging(settings) { $1 }
        let program = try ServedDayly(in: folder, settings: all)
        let service = LiveService(program: program, proxy: try TCPProxy(to: program.port))
        try await service.serving { try await body(service) }
    }

    /// The address that clients use, of the proxy.
    package var proxied: URL { get throws { try Self.url(proxy.port) } }

    /// A client whose requests pass the proxy, or go past it.
    package func client(
        past: Bool = false, tokens: any TokenStore = MemoryTokenStore(), retries: RetryPolicy = RetryPolicy(),
        clock: any ClientClock = SystemClock()
    ) throws -> Dayly {
        let configuration = Dayly.Configuration(
            url: try Self.url(past ? program.port : proxy.port), tokens: tokens,
            folder: folder.appendingPathComponent("client-\(UUID())"), retries: retries, clock: clock,
            deviceName: "a test")
        return Dayly(configuration)
    }

    private static func url(_ port: Int) throws -> URL {
        guard let url = URL(string: "http://127.0.0.1:\(port)") else { throw CocoaError(.coderInvalidValue) }
        return url
    }

    /// The newest code that was sent to a number.
    package func code(to number: String) async throws -> String {
        try await eventually("a code to \(number)") {
            let messages = log.split(separator: "\n").filter { $0.contains("SMS to \(number):") }
            return messages.last?.firstMatch(of: #/code is: ([0-9]{6})/#).map { String($0.1) }
        }
    }

    /// Signs a client in as a new user.
    package func signIn(_ dayly: Dayly, as name: String, _ number: String) async throws {
        let verification = try await dayly.auth.requestVerification(phoneNumber: number)
        _ = try await dayly.auth.signIn(
            verification.verificationID, code: code(to: number), firstName: name, timeZone: "UTC")
    }

    /// A picture in a file.
    package func picture(seed: Int = 0) throws -> URL {
        let file = folder.appendingPathComponent("\(UUID().uuidString).jpg")
        try Data(Pictures.jpeg(width: 1600, height: 1200, seed: seed)).write(to: file)
        return file
    }
}
