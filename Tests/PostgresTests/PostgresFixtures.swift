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
    let database = try await TestDatabase.make()
    let client = makeClient(database.url, change)
    do {
        let value = try await body(client, database)
        await client.close()
        await database.drop()
        return value
    } catch {
        await client.close()
        await database.drop()
        throw error
    }
}

/// Runs `body` with a database behind a proxy that can lose messages.
func withProxy<Value>(
    _ change: (inout PostgresConfiguration) -> Void = { _ in },
    _ body: (PostgresClient, FaultProxy, TestDatabase) async throws -> Value
) async throws -> Value {
    let database = try await TestDatabase.make()
    let port = try #require(URLComponents(string: database.url)?.port)
    let proxy = try FaultProxy(to: UInt16(port))
    let client = makeClient(database.url.replacing(":\(port)/", with: ":\(proxy.port)/"), change)
    do {
        let value = try await body(client, proxy, database)
        await client.close()
        await database.drop()
        return value
    } catch {
        proxy.set { $0.isSilent = false }
        await client.close()
        await database.drop()
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
