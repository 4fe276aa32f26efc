import DaylyAPI
import DaylyTesting
import FeatureKit
import Foundation
import HTTPKit
import Hummingbird
import HummingbirdTesting
import Logging
import Messaging
import NIOCore
import Postgres
import RateLimiting

@testable import Auth

/// An answer as a client sees it.
struct Answer {
    let status: Int
    let headers: HTTPFields
    let body: ByteBuffer

    var text: String { String(buffer: body) }

    func decode<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        try WireJSON.makeDecoder().decode(type, from: Data(body.readableBytesView))
    }

    /// A member of the top level, as text.
    func member(_ name: String) -> String? {
        let object = try? JSONSerialization.jsonObject(with: Data(body.readableBytesView)) as? [String: Any]
        return object?[name].map { "\($0)" }
    }

    /// The problem's code.
    var code: String? { member("code") }
    var attemptsRemaining: Int? { member("attempts_remaining").flatMap { Int($0) } }
    var retryAfter: Int? { headers[.retryAfter].flatMap { Int($0) } }
}

/// Signing in as the server offers it, on a database of its own.
struct SignInApp: Sendable {
    let postgres: PostgresClient
    let sms: RecordingSMSGateway
    let auth: AuthService
    let client: any TestClientProtocol

    static func run(
        enforceRates: Bool = true, queueCapacity: Int = 1_000, onErase: [AccountHook] = [],
        messageLimits: MessageCeiling.Limits = .init(),
        configure: (inout AuthSettings) -> Void = { _ in },
        _ body: @escaping @Sendable (SignInApp) async throws -> Void
    ) async throws {
        var configuration = AuthSettings()
        configuration.host = "dayly.example"
        configure(&configuration)
        let tokens = try await Fixtures.accessTokens()
        let sms = RecordingSMSGateway()
        var queueConfiguration = SMSQueue.Configuration()
        queueConfiguration.capacity = queueCapacity
        let queue = SMSQueue(gateway: sms, configuration: queueConfiguration, logger: .silent)
        let settings = configuration
        try await withDatabase { postgres in
            let accounts = Accounts(postgres: postgres, tokens: tokens)
            let feature = AuthFeature(
                settings,
                platform: .testing(
                    postgres, enforceRates: enforceRates, messageLimits: messageLimits, sms: queue),
                accounts: accounts, features: [HookingFeature(onErase: onErase)])
            let router = AppRouter(mapError: { $0 is RateLimitsUnavailable ? .unavailable() : nil })
            router.group("v1").add(feature.routes, authenticator: accounts.authenticator)
            let application = Application(responder: router.buildResponder(), logger: .silent)
            try await withThrowingTaskGroup(of: Void.self) { group in
                if queueCapacity > 0 { group.addTask { try await queue.run() } }
                try await application.test(.router) { client in
                    try await body(
                        SignInApp(
                            postgres: postgres, sms: sms, auth: feature.service, client: client))
                }
                group.cancelAll()
            }
        }
    }

    func call(
        _ method: HTTPRequest.Method, _ path: String, _ json: String? = nil, token: String? = nil,
        headers extra: HTTPFields = [:]
    ) async throws -> Answer {
        var headers = extra
        if json != nil { headers[.contentType] = "application/json" }
        if let token { headers[.authorization] = "Bearer \(token)" }
        return try await client.execute(
            uri: "/v1/" + path, method: method, headers: headers, body: json.map { ByteBuffer(string: $0) }
        ) { response in
            Answer(status: response.status.code, headers: response.headers, body: response.body)
        }
    }

    func requestCode(_ number: PhoneNumber) async throws -> Answer {
        try await call(.post, "auth/request-verification", #"{"phone_number": "\#(number.rawValue)"}"#)
    }

    /// A verification under way, and the code that came by SMS.
    func startedVerification(_ number: PhoneNumber, count: Int = 1) async throws -> (id: String, code: String)
    {
        let answer = try await requestCode(number)
        guard let id = answer.member("verification_id") else { throw UnexpectedAnswer(text: answer.text) }
        return (id, try await sms.code(to: number.rawValue, count: count))
    }

    func verify(_ id: String, _ code: String, _ more: String = "") async throws -> Answer {
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

    func refresh(_ token: String) async throws -> Answer {
        try await call(.post, "auth/refresh", #"{"refresh_token": "\#(token)"}"#)
    }

    func logout(_ token: String) async throws -> Answer {
        try await call(.post, "auth/logout", #"{"refresh_token": "\#(token)"}"#)
    }

    func me(_ token: String) async throws -> Answer {
        try await call(.get, "users/me", token: token)
    }

    /// Whatever pauses there are between two codes to a number are over.
    func forgetLimits() async throws {
        try await postgres.execute("DELETE FROM rate_counters")
    }

    /// Runs `body` while somebody else holds the rows that `lock` selects for update, and lets go when several calls
    /// have got as far as they get: those who ought to wait for one another truly meet.
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

    func count(_ sql: SQL) async throws -> Int {
        try await postgres.first(sql)?.get("count") ?? -1
    }
}

/// Stands for the other features.
private struct HookingFeature: Feature {
    let onErase: [AccountHook]
}

struct UnexpectedAnswer: Error {
    let text: String
}

/// A code that is not `code`.
func wrong(_ code: String, _ offset: Int = 1) -> String {
    String(String(1_000_000 + ((Int(code) ?? 0) + offset) % 1_000_000).dropFirst())
}

/// `count` calls at once.
func atOnce<Value: Sendable>(
    _ count: Int, _ body: @escaping @Sendable (Int) async throws -> Value
) async throws -> [Value] {
    try await withThrowingTaskGroup(of: Value.self) { group in
        for index in 0..<count { group.addTask { try await body(index) } }
        return try await group.reduce(into: []) { $0.append($1) }
    }
}
