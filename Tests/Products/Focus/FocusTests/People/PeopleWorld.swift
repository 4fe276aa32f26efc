import Auth
import DaylyTesting
import FeatureKit
import FocusRules
import Foundation
import HTTPKit
import HTTPTesting
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Postgres
import Push
import PushTesting
import StoreReceipts

@testable import Focus
@testable import Groups
@testable import Notifications

/// Focus and Groups over a database whose time a test moves, with phones that record push messages.
struct PeopleWorld: TestWorld {
    let postgres: PostgresClient
    let clock: TestClock
    let phones = RecordingPushGateway()
    let feature: FocusFeature
    let groups: GroupsFeature
    let members: FocusMemberStore
    private let platform: Platform
    private let settings: FocusSettings

    /// The job that closes weeks, one user at a time.
    var close: FocusClose { FocusClose(postgres: postgres, settings: settings, batch: 1) }

    /// - Parameter time: when the world begins.
    static func run(
        at time: String = "2026-03-04T12:00:00Z", _ change: (inout FocusSettings) -> Void = { _ in },
        _ body: @escaping @Sendable (PeopleWorld, Calls) async throws -> Void
    ) async throws {
        var settings = FocusSettings()
        change(&settings)
        let start = try Date(time, strategy: .iso8601)
        try await withTimeMachine(startingAt: start) { [settings] database, clock in
            let world = try PeopleWorld(
                database.client, clock, settings, try await Fixtures.accounts(database.client))
            try await withClient(
                of: world.feature.routes + world.groups.routes,
                authenticator: HeaderCallers(postgres: world.postgres)
            ) { client in
                try await body(world, Calls(client: client))
            }
        }
    }

    private init(
        _ postgres: PostgresClient, _ clock: TestClock, _ settings: FocusSettings, _ accounts: Accounts
    ) throws {
        (self.postgres, self.clock, self.settings) = (postgres, clock, settings)
        let platform = Platform.testing(postgres)
        let outbox = NotificationOutbox(platforms: [.ios])
        self.platform = platform
        members = FocusMemberStore(postgres: postgres)
        feature = FocusFeature(
            settings, platform: platform, accounts: accounts,
            receipts: try ReceiptVerifier(
                bundleID: nil, allowsSandbox: false, tokens: AppAccountToken(secret: platform.secrets)),
            notifications: outbox)
        groups = GroupsFeature(
            GroupSettings(), links: InvitationLinks(publicURL: "https://dayly.test"), platform: platform,
            accounts: accounts, pushes: nil, hooks: FocusFeature.groupHooks(platform))
    }

    /// Sends everything that is in the outbox and due.
    func deliver() async throws {
        let notifications = NotificationsFeature(
            gateways: [.ios: phones], platform: platform, invitations: groups.invitations, sources: [:],
            personalSources: FocusFeature.notificationSources(settings, platform))
        while try await notifications.worker.runOnce() > 0 {}
    }

    // MARK: People

    /// A user of Focus with an iPhone that receives push messages.
    func member(
        _ nickname: String? = nil, name: String? = "Ada", id: UserID = UserID(.version7()),
        zone: String = "UTC",
        feed: Bool = true
    ) async throws -> Person {
        let number = Fixtures.phoneNumber()
        try await postgres.execute(
            """
            INSERT INTO users (id, phone_number, first_name, time_zone) VALUES (\(id), \(number), \(name), \(zone))
            """)
        let session = try await Fixtures.session(in: postgres, of: id)
        let person = Person(id: id, session: session, number: number, token: "")
        let token = (UUID().uuidString + UUID().uuidString).replacing("-", with: "").lowercased()
        if let token = DeviceToken(token, platform: .ios) {
            try await DeviceStore(postgres: postgres).register(token, for: id, in: session)
        }
        try await join(person, nickname, feed: feed)
        return person
    }

    private func join(_ person: Person, _ nickname: String?, feed: Bool) async throws {
        try await postgres.execute(
            """
            INSERT INTO focus_profiles (user_id, consent, nickname, feed, joined_on)
            SELECT id, '1', \(nickname), \(feed), local_day(now(), time_zone) FROM users WHERE id = \(person.id)
            """)
    }

    /// A phone whose tracking is set up.
    func phone(of person: Person, status: String = "verified", unlockedAgo age: Duration? = nil) async throws
    {
        try await postgres.execute(
            """
            INSERT INTO focus_devices (user_id, number, id, platform, setup, status, issue, verified_at, last_unlock_at)
            VALUES (\(person.id), 1, \(UUID()), 'ios', 'verified', \(status), NULL, now(), now() - \(age))
            """)
    }

    func unlocked(_ person: Person, ago age: Duration) async throws {
        try await postgres.execute(
            "UPDATE focus_devices SET last_unlock_at = now() - \(age) WHERE user_id = \(person.id)")
    }

    // MARK: Streaks

    /// Reports a user's streaks as a sync does.
    func streaks(of person: Person, running: Instant?, unlocks: [Instant] = []) async throws {
        try await postgres.transaction { tx in
            let member = try members.requireLocked(tx, person.id)
            try feature.temptations.streakChanged(tx, member, running: running, unlocks: unlocks)
        }
    }

    /// A streak that has ended.
    func ended(_ person: Person, at end: Instant, seconds: Int, instead: Streak? = nil) async throws -> Streak
    {
        let streak = Streak(began: end - seconds, ended: end, day: 0, isEstimated: false)
        try await postgres.transaction { tx in
            try feature.feed.change(
                tx, of: person.id, added: [FeedStreak(streak)],
                removed: instead.map { [FeedStreak($0)] } ?? [])
        }
        return streak
    }

    // MARK: Time

    var now: Instant { Int(clock.now.timeIntervalSince1970) }

    func travel(to time: String) async throws {
        try await clock.set(to: try Date(time, strategy: .iso8601))
    }

    func travel(to instant: Instant) async throws {
        try await clock.set(to: Date(timeIntervalSince1970: Double(instant)))
    }
}

/// Calls of a world's people, below `/v1/focus/` unless the path begins with a slash.
struct Calls: Sendable {
    let client: any TestClientProtocol

    func callAsFunction(
        _ method: HTTPRequest.Method, _ path: String, _ json: String? = nil, as person: Person,
        headers more: HTTPFields = [:]
    ) async throws -> HTTPAnswer {
        var headers = more
        headers[.testCaller] = person.id.rawValue.uuidString
        return try await client.call(
            method, path.hasPrefix("/") ? "/v1\(path)" : "/v1/focus/\(path)", json, headers: headers)
    }
}
