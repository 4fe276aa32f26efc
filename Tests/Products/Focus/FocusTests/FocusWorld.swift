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

@testable import Focus

/// Focus over a database of its own whose time the test moves, with its routes.
struct FocusWorld: TestWorld {
    let postgres: PostgresClient
    let clock: TestClock
    let feature: FocusFeature
    private let client: any TestClientProtocol

    /// Monday, noon.
    static let start = "2026-03-02T12:00:00Z"

    /// - Parameters:
    ///   - receipts: nil: Apple's.
    ///   - settings: the differences from the defaults.
    static func run(
        at start: String = start, enforceRates: Bool = true, receipts: ReceiptVerifier? = nil,
        settings: @Sendable (inout FocusSettings) -> Void = { _ in },
        _ body: @escaping @Sendable (FocusWorld) async throws -> Void
    ) async throws {
        var changed = FocusSettings()
        settings(&changed)
        let (settings, start) = (changed, try date(start))
        try await withTimeMachine(startingAt: start) { database, clock in
            let postgres = database.client
            let accounts = try await Fixtures.accounts(postgres)
            let feature = FocusFeature(
                settings, platform: .testing(postgres, enforceRates: enforceRates), accounts: accounts,
                receipts: try receipts
                    ?? ReceiptVerifier(
                        bundleID: "org.example.dayly", allowsSandbox: true,
                        tokens: AppAccountToken(secret: Fixtures.secret)),
                notifications: NotificationOutbox(platforms: [.ios, .android]))
            try await withClient(
                of: feature.routes, authenticator: HeaderCallers(postgres: postgres)
            ) { client in
                try await body(
                    FocusWorld(postgres: postgres, clock: clock, feature: feature, client: client))
            }
        }
    }

    static func date(_ text: String) throws -> Date { try #require(RFC3339.date(text)) }

    func call(
        _ method: HTTPRequest.Method, _ path: String, as person: Person, _ body: String? = nil,
        headers more: HTTPFields = [:]
    ) async throws -> HTTPAnswer {
        var headers = more
        headers[.testCaller] = person.id.rawValue.uuidString
        return try await client.call(method, "/v1/focus/\(path)", body, headers: headers)
    }

    /// A person with a profile.
    func member(
        _ profile: String = #"{"consent": "1"}"#, name: String = "Ada", timeZone: String = "UTC"
    ) async throws -> Person {
        let person = try await person(name: name, timeZone: timeZone)
        let joined = try await call(.put, "profile", as: person, profile)
        #expect(joined.status == 200, "\(joined)")
        return person
    }

    /// A phone with Android whose events count.
    func phone(of person: Person, platform: String = "android") async throws -> TestPhone {
        let phone = TestPhone(owner: person, world: self)
        let setup = platform == "android" ? #", "setup": "verified""# : ""
        let put = try await call(
            .put, "devices/\(phone.id)", as: person, #"{"platform": "\#(platform)"\#(setup)}"#)
        #expect(put.status == 200, "\(put)")
        return phone
    }

    func set(_ time: String) async throws { try await clock.set(to: try Self.date(time)) }
}
