import Auth
import DaylyTesting
import FeatureKit
import Foundation
import HTTPKit
import HTTPTesting
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import KeyDerivation
import Notifications
import Postgres
import Push
import StoreReceipts
import Testing

@testable import Companion

/// Companion over a database of its own whose time the test moves, with its routes and those of accounts.
struct CompanionWorld: TestWorld {
    let postgres: PostgresClient
    let clock: TestClock
    let feature: CompanionFeature
    private let client: any TestClientProtocol

    /// Monday, noon.
    static let start = "2026-03-02T12:00:00Z"

    /// - Parameters:
    ///   - receipts: nil: Apple's.
    ///   - settings: the differences from the defaults.
    static func run(
        at start: String = start, enforceRates: Bool = true, receipts: ReceiptVerifier? = nil,
        settings: @Sendable (inout CompanionSettings) -> Void = { _ in },
        _ body: @escaping @Sendable (CompanionWorld) async throws -> Void
    ) async throws {
        var changed = CompanionSettings()
        settings(&changed)
        let (settings, start) = (changed, try date(start))
        try await withTimeMachine(startingAt: start) { database, clock in
            let postgres = database.client
            let platform = Platform.testing(postgres, enforceRates: enforceRates)
            let feature = CompanionFeature(
                settings, platform: platform,
                receipts: try receipts
                    ?? ReceiptVerifier(
                        bundleID: "org.example.dayly", allowsSandbox: true,
                        tokens: AppAccountToken(secret: Fixtures.secret)),
                notifications: NotificationOutbox(platforms: [.ios, .android]))
            let auth = AuthFeature(
                AuthSettings(), platform: platform, accounts: try await Fixtures.accounts(postgres),
                features: [feature])
            try await withClient(
                of: feature.routes + auth.routes, authenticator: HeaderCallers(postgres: postgres)
            ) { client in
                try await body(
                    CompanionWorld(postgres: postgres, clock: clock, feature: feature, client: client))
            }
        }
    }

    static func date(_ text: String) throws -> Date { try #require(RFC3339.date(text)) }

    /// A call of Companion.
    func call(
        _ method: HTTPRequest.Method, _ path: String, as person: Person, _ body: String? = nil,
        headers: HTTPFields = [:]
    ) async throws -> HTTPAnswer {
        try await callAny(method, "companion/\(path)", as: person, body, headers: headers)
    }

    /// A call of Companion or of accounts.
    func callAny(
        _ method: HTTPRequest.Method, _ path: String, as person: Person, _ body: String? = nil,
        headers more: HTTPFields = [:]
    ) async throws -> HTTPAnswer {
        var headers = more
        headers[.testCaller] = person.id.rawValue.uuidString
        return try await client.call(method, "/v1/\(path)", body, headers: headers)
    }

    /// A person who has joined.
    func owner(
        _ settings: String = #"{"consent": "1", "limit_minutes": 120}"#, name: String = "Ada",
        timeZone: String = "UTC"
    ) async throws -> Person {
        let person = try await person(name: name, timeZone: timeZone)
        let joined = try await call(.put, "settings", as: person, settings)
        #expect(joined.status == 200, "\(joined)")
        return person
    }

    func set(_ time: String) async throws { try await clock.set(to: try Self.date(time)) }

    /// A time such as `2026-03-02 09:00 Europe/Berlin`, computed by PostgreSQL.
    func date(local text: String) async throws -> Date {
        let parts = text.split(separator: " ").map(String.init)
        let (local, zone) = ("\(parts[0]) \(parts[1])", parts[2])
        return try #require(
            try await postgres.first("SELECT \(local)::timestamp AT TIME ZONE \(zone) AS at")
        ).get("at")
    }

    /// Moves the clock to a time such as `2026-03-02 09:00 Europe/Berlin`.
    func set(local text: String) async throws { try await clock.set(to: try await date(local: text)) }

    /// Changes the time zone of the account, as its owner does it.
    func move(_ person: Person, to zone: String) async throws {
        let answer = try await callAny(.patch, "users/me", as: person, #"{"time_zone": "\#(zone)"}"#)
        #expect(answer.status == 200, "\(answer)")
    }
}
