import DaylyTesting
import Foundation
import Testing

/// Sources scripts/lib/postgres.sh and runs `command` with DIR set.
func shell(_ folder: URL, _ command: String) async throws -> (status: Int32, output: String) {
    let outcome = try await Shell.run(
        ". scripts/lib/postgres.sh; \(command)", environment: ["DIR": folder.path])
    return (outcome.status, outcome.output)
}

/// Runs `body` with the folder and the URL of a server of its own.
/// - Parameter prepare: makes the server's settings, before it starts.
func withServer(
    in name: String = "pg", prepare: (URL) async throws -> String = { _ in "" },
    _ body: (URL, String) async throws -> Void
) async throws {
    let temporary = try TemporaryFolder()
    defer { withExtendedLifetime(temporary) {} }
    let folder = temporary.url
    let server = folder.appendingPathComponent(name)
    try FileManager.default.createDirectory(at: server, withIntermediateDirectories: true)
    do {
        let settings = try await prepare(folder)
        let started = try await shell(
            server, "postgres_start \"$DIR\" --no-fsync \(settings); postgres_url \"$DIR\"")
        #expect(started.status == 0)
        try await body(server, started.output)
    } catch {
        _ = try await shell(server, "postgres_stop \"$DIR\"")
        throw error
    }
    #expect(try await shell(server, "postgres_stop \"$DIR\"").status == 0)
}
