import CompanionAPI
import Auth
import CivilTime
import CompanionRules
import DaylyAPI
import DaylyTesting
import DeviceIntake
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

/// Companion over a database of its own whose time the test moves, with its routes and phones that report events.
struct CompanionSyncWorld: TestWorld {
    let postgres: PostgresClient
    let clock: TestClock
    let platform: Platform
    let accounts: Accounts
    let feature: CompanionFeature
    private let client: any TestClientProtocol

    /// The first instant of 2026-03-02, a Monday, in Europe/Berlin.
    static let start = "2026-03-01T23:00:00Z"

    /// - Parameter settings: the differences from the defaults.
    static func run(
        at start: String = start, enforceRates: Bool = true,
        settings: @Sendable (inout CompanionSettings) -> Void = { _ in },
        _ body: @escaping @Sendable (CompanionSyncWorld) async throws -> Void
    ) async throws {
        var changed = CompanionSettings()
        settings(&changed)
        let (settings, start) = (changed, try date(start))
        try await withTimeMachine(startingAt: start) { database, clock in
            let postgres = database.client
            let platform = Platform.testing(postgres, enforceRates: enforceRates)
            let accounts = try await Fixtures.accounts(postgres)
            let feature = try feature(settings, platform)
            try await withClient(
                of: feature.routes, authenticator: HeaderCallers(postgres: postgres)
            ) { client in
                try await body(
                    CompanionSyncWorld(
                        postgres: postgres, clock: clock, platform: platform, accounts: accounts,
                        feature: feature, client: client))
            }
        }
    }

    static func feature(_ settings: CompanionSettings, _ platform: Platform) throws -> CompanionFeature {
        CompanionFeature(
            settings, platform: platform,
            receipts: try ReceiptVerifier(
                bundleID: "org.example.dayly", allowsSandbox: true,
                tokens: AppAccountToken(secret: Fixtures.secret)),
            notifications: NotificationOutbox(platforms: [.ios]))
    }

    static func date(_ text: String) throws -> Date { try #require(RFC3339.date(text)) }

    func call(
        _ method: HTTPRequest.Method, _ path: String, as person: Person, _ body: String? = nil,
        headers more: HTTPFields = [:]
    ) async throws -> HTTPAnswer {
        var headers = more
        headers[.testCaller] = person.id.rawValue.uuidString
        return try await client.call(method, "/v1/companion/\(path)", body, headers: headers)
    }

    /// A person who has joined.
    func owner(
        _ settings: String = #"{"consent": "1", "limit_minutes": 120}"#, zone: String = "Europe/Berlin"
    ) async throws -> Person {
        let person = try await person(timeZone: zone)
        try await put(settings, for: person)
        return person
    }

    func put(_ settings: String, for person: Person) async throws {
        let answer = try await call(.put, "settings", as: person, settings)
        #expect(answer.status == 200, "\(answer)")
    }

    func phone(of person: Person) -> CompanionTestPhone { CompanionTestPhone(owner: person, world: self) }

    /// - Parameter day: nil: the running one.
    func day(_ day: String? = nil, of person: Person) async throws -> CompanionDay {
        let answer = try await call(.get, day.map { "days/\($0)" } ?? "day", as: person)
        #expect(answer.status == 200, "\(answer)")
        return try answer.decode()
    }

    /// The newest page of the diary.
    func diary(of person: Person, language: String = "en") async throws -> [CompanionEntry] {
        let answer = try await call(.get, "diary", as: person, headers: [.acceptLanguage: language])
        #expect(answer.status == 200, "\(answer)")
        return try answer.decode(CompanionDiary.self).entries
    }

    func set(_ instant: Instant) async throws { try await clock.set(to: Date(instant: instant)) }

    func set(_ time: String) async throws { try await clock.set(to: try Self.date(time)) }

    /// Changes the zone as a call about the account does.
    func changeZone(of user: UserID, to zone: String, by feature: CompanionFeature) async throws {
        try await postgres.transaction { tx in
            for hook in feature.onZoneChange { try hook.before(tx, user) }
            try tx.execute("UPDATE users SET time_zone = \(zone) WHERE id = \(user)")
            for hook in feature.onZoneChange { try hook.after(tx, user) }
        }
    }

    /// The column `text` of a row.
    func text(_ sql: SQL) async throws -> String { try await postgres.first(sql)?.get("text") ?? "" }
}

/// The days of the examples in Europe/Berlin: day 1 is 2026-03-02.
enum BerlinDays {
    static let first = CivilDate(year: 2026, month: 3, day: 2).daysSince1970

    static func midnight(of number: Int) -> Instant { (first + number - 1) * secondsPerDay - 3_600 }

    /// The time of `1 09:00`.
    static func instant(_ number: Int, _ time: some StringProtocol) -> Instant {
        let parts = time.split(separator: ":").compactMap { Int($0) } + [0]
        return midnight(of: number) + parts[0] * 3_600 + parts[1] * 60 + parts[2]
    }

    static func name(_ number: Int) -> String { isoText(day: first + number - 1) }

    /// The time as the tables have it: `1 09:00`.
    static func text(_ time: Instant) -> String {
        let seconds = time - midnight(of: 1)
        let minutes = seconds % secondsPerDay / 60
        let digits = [minutes / 60, minutes % 60].map { String("\(100 + $0)".dropFirst()) }
        return "\(seconds / secondsPerDay + 1) \(digits.joined(separator: ":"))"
    }
}

/// An event of a table, like `a bypass 22:00`, `2 00:30 open` or `a bypass 08:00 ×21 every 30 min`.
struct CompanionExampleEvent: Sendable {
    let device: Int
    let kind: String
    let at: Instant

    static func list(_ text: String) -> [CompanionExampleEvent] {
        text.split(separator: ", ").flatMap { event in
            let words = event.split(separator: " ")
            let time = words.first { $0.contains(":") } ?? "00:00"
            let number = words.first == "2" || words.last == "day" ? 2 : 1
            let count = words.first { $0.hasPrefix("×") }.flatMap { Int($0.dropFirst()) } ?? 1
            let every = words.firstIndex(of: "every").flatMap { Int(words[$0 + 1]) } ?? 0
            return (0..<count).map { place in
                CompanionExampleEvent(
                    device: words.contains("b") ? 1 : 0,
                    kind: ["bypass", "reshield", "open"].first { words.contains(Substring($0)) } ?? "",
                    at: BerlinDays.instant(number, time) + place * every * 60)
            }
        }
    }
}
