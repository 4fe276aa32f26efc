import DaylyAPI
import DaylyTesting
import FeatureKit
import HTTPTesting
import Hummingbird
import HummingbirdTesting
import Logging
import Messaging
import NIOCore
import Postgres
import RateLimiting

@testable import Auth

extension HTTPAnswer {
    var attemptsRemaining: Int? { member("attempts_remaining").flatMap { Int($0) } }
}

/// Signing in as the server offers it, on a database of its own.
struct SignInApp: TestWorld {
    let postgres: PostgresClient
    let sms: RecordingSMSGateway
    let auth: AuthService
    let client: any TestClientProtocol

    static func run(
        enforceRates: Bool = true, queueCapacity: Int = 1_000, onErase: [AccountHook] = [],
        onEviction: [SessionHook] = [],
        messageLimits: MessageCeiling.Limits = .init(),
        configure: (inout AuthSettings) -> Void = { _ in },
        _ body: @escaping @Sendable (SignInApp) async throws -> Void
    ) async throws {
        var configuration = AuthSettings()
        configuration.host = "dayly.example"
        // Ceilings in tests are small, so that half of them is soon used. `WorkPaymentTests` try the price.
        configuration.work.free = 2
        configure(&configuration)
        let (settings, sms) = (configuration, RecordingSMSGateway())
        let tokens = try await Fixtures.accessTokens()
        try await withDatabase { postgres in
            let accounts = Accounts(postgres: postgres, tokens: tokens)
            try await sms.withQueue(capacity: queueCapacity) { queue in
                let feature = AuthFeature(
                    settings,
                    platform: .testing(
                        postgres, enforceRates: enforceRates, messageLimits: messageLimits, sms: queue),
                    accounts: accounts, features: [HookingFeature(onErase: onErase, onEviction: onEviction)])
                try await withClient(
                    of: feature.routes, authenticator: accounts.authenticator,
                    mapError: { $0 is RateLimitsUnavailable ? .unavailable() : nil }
                ) {
                    try await body(
                        SignInApp(postgres: postgres, sms: sms, auth: feature.service, client: $0))
                }
            }
        }
    }

    func call(
        _ method: HTTPRequest.Method, _ path: String, _ json: String? = nil, token: String? = nil,
        headers: HTTPFields = [:]
    ) async throws -> HTTPAnswer {
        try await client.call(method, "/v1/" + path, json, token: token, headers: headers)
    }

    func requestCode(_ number: PhoneNumber) async throws -> HTTPAnswer {
        try await call(.post, "auth/request-verification", #"{"phone_number": "\#(number.rawValue)"}"#)
    }

    /// Starts a verification; returns its id and the code from the SMS.
    func startedVerification(_ number: PhoneNumber, count: Int = 1) async throws -> (id: String, code: String)
    {
        let answer = try await requestCode(number)
        guard let id = answer.member("verification_id") else { throw UnexpectedAnswer(text: answer.text) }
        return (id, try await sms.code(to: number.rawValue, count: count))
    }

    func verify(_ id: String, _ code: String, _ more: String = "") async throws -> HTTPAnswer {
        try await call(.post, "auth/verify", #"{"verification_id": "\#(id)", "code": "\#(code)"\#(more)}"#)
    }

    func signIn(_ number: PhoneNumber = Fixtures.phoneNumber(), _ more: String = "") async throws
        -> TokenResponse
    {
        let count = sms.messages.filter { $0.to == number.rawValue }.count + 1
        let (id, code) = try await startedVerification(number, count: count)
        let answer = try await verify(id, code, more)
        guard answer.status == 200 else { throw UnexpectedAnswer(text: answer.text) }
        return try answer.decode()
    }

    func refresh(_ token: String) async throws -> HTTPAnswer {
        try await call(.post, "auth/refresh", #"{"refresh_token": "\#(token)"}"#)
    }

    func logout(_ token: String) async throws -> HTTPAnswer {
        try await call(.post, "auth/logout", #"{"refresh_token": "\#(token)"}"#)
    }

    func me(_ token: String) async throws -> HTTPAnswer {
        try await call(.get, "users/me", token: token)
    }

    /// Ends all pauses between two codes to a number.
    func forgetLimits() async throws {
        try await postgres.execute("DELETE FROM rate_counters")
    }

    /// Runs `body` while another transaction holds the rows that `lock` selects for update. The transaction ends when
    /// several calls wait for the rows, so that calls that should wait for each other do.
    func holding<Value: Sendable>(
        _ lock: SQL, _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let (locked, lockTaken) = AsyncStream<Void>.makeStream()
        async let holder: Void = postgres.transaction { tx in
            _ = try tx.query(lock)
            lockTaken.yield()
            _ = try tx.first("SELECT pg_sleep(0.4)::text AS slept")
        }
        for await _ in locked { break }
        let value = try await body()
        try await holder
        return value
    }

    /// The app's own instance and another one with connections of its own, over one database.
    func withTwo(
        _ messageLimits: MessageCeiling.Limits = .init(), _ body: ([AuthService]) async throws -> Void
    ) async throws {
        let postgres = PostgresClient(configuration: postgres.configuration, logger: .silent)
        let other = AuthService(
            postgres: postgres,
            limits: Fixtures.rateLimits(postgres, messageLimits: messageLimits),
            tokens: try await Fixtures.accessTokens(), sms: auth.sms, secret: Fixtures.secret,
            configuration: auth.configuration)
        do {
            try await body([auth, other])
            await postgres.close()
        } catch {
            await postgres.close()
            throw error
        }
    }

    /// Makes every session's latest exchange as old as this.
    func ageExchanges(by age: Duration) async throws {
        try await postgres.execute("UPDATE sessions SET rotated_at = rotated_at - \(age)")
    }
}

/// Stands for the other features.
private struct HookingFeature: Feature {
    let onErase: [AccountHook]
    let onEviction: [SessionHook]
}

struct UnexpectedAnswer: Error {
    let text: String
}

/// A code that is not `code`.
func wrong(_ code: String, _ offset: Int = 1) -> String {
    String(String(1_000_000 + ((Int(code) ?? 0) + offset) % 1_000_000).dropFirst())
}
