import DaylyTesting
import Foundation
import Logging
import Postgres
import Testing

/// A client for `url` with a test's changes to the configuration.
func makeClient(
    _ url: String, _ change: (inout PostgresConfiguration) -> Void = { _ in }
) -> PostgresClient {
    var configuration = PostgresConfiguration(url: url)
    configuration.maxConnections = 4
    change(&configuration)
    return PostgresClient(configuration: configuration, logger: Logger(label: "postgres-test"))
}

/// Runs `body` with a database's URL and a client of its own, and closes both.
func withClient<Value>(
    _ change: (inout PostgresConfiguration) -> Void = { _ in },
    _ body: (PostgresClient, TestDatabase) async throws -> Value
) async throws -> Value {
    try await withTestDatabase { database in
        try await closing(makeClient(database.url, change)) { try await body($0, database) }
    }
}

/// Runs `body` with a database behind a proxy that can lose messages.
func withProxy<Value>(
    _ change: (inout PostgresConfiguration) -> Void = { _ in },
    _ body: (PostgresClient, TCPProxy, TestDatabase) async throws -> Value
) async throws -> Value {
    try await withTestDatabase { database in
        let port = try #require(URLComponents(string: database.url)?.port)
        let proxy = try TCPProxy(to: port)
        let client = makeClient(database.url.replacing(":\(port)/", with: ":\(proxy.port)/"), change)
        return try await closing(client) {
            // Closing does not wait for a silent proxy.
            defer { proxy.set { $0.isSilent = false } }
            return try await body($0, proxy, database)
        }
    }
}

/// Runs `body` with the client, and closes it.
private func closing<Value>(
    _ client: PostgresClient, _ body: (PostgresClient) async throws -> Value
) async throws -> Value {
    do {
        let value = try await body(client)
        await client.close()
        return value
    } catch {
        await client.close()
        throw error
    }
}

extension PostgresError {
    var isUnavailable: Bool { if case .unavailable = self { true } else { false } }
}

/// The `PostgresError` that `body` throws, if any.
func failure<Value>(_ body: () async throws -> Value) async -> PostgresError? {
    do {
        _ = try await body()
        return nil
    } catch {
        return error as? PostgresError
    }
}
