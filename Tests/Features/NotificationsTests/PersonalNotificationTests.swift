import DaylyTesting
import FeatureKit
import Foundation
import Jobs
import Postgres
import Push
import PushTesting
import Synchronization
import Testing

@testable import Groups
@testable import Notifications

/// A reader with an iPhone, a feature that answers whether its reasons hold, and time that a test moves.
private struct PersonalWorld: TestWorld {
    let postgres: PostgresClient
    let clock: TestClock
    let ios = RecordingPushGateway()
    let notifications = NotificationOutbox(platforms: [.ios])
    let reader: Person
    private let feature = Reasons()

    /// Stands in for the feature that posts notifications.
    final class Reasons: Sendable {
        let isDue = Mutex(true)
        let asked = Mutex<[String]>([])
        let accepted = Mutex<[String]>([])

        func source(_ quietHours: PersonalNotificationSource.QuietHours) -> PersonalNotificationSource {
            PersonalNotificationSource(quietHours: quietHours) { notification, _ in
                self.asked.withLock { $0.append(notification.subject) }
                return self.isDue.withLock { $0 }
            } accepted: { notification, _ in
                self.accepted.withLock { $0.append(notification.subject) }
            }
        }
    }

    static func run(
        at time: String = "2026-03-02T12:00:00Z", zone: String = "UTC",
        _ body: @escaping @Sendable (PersonalWorld) async throws -> Void
    ) async throws {
        let start = try Date(time, strategy: .iso8601)
        try await withTimeMachine(startingAt: start) { database, clock in
            struct Place: TestWorld { let postgres: PostgresClient }
            let postgres = database.client
            let reader = try await Place(postgres: postgres).person(timeZone: zone)
            let world = PersonalWorld(postgres: postgres, clock: clock, reader: reader)
            try await DeviceStore(postgres: postgres).register(
                NotificationsWorld.token(), for: reader.id, in: reader.session)
            try await body(world)
        }
    }

    private init(postgres: PostgresClient, clock: TestClock, reader: Person) {
        (self.postgres, self.clock, self.reader) = (postgres, clock, reader)
    }

    var isDue: Bool {
        get { feature.isDue.withLock { $0 } }
        nonmutating set { feature.isDue.withLock { $0 = newValue } }
    }

    var accepted: [String] { feature.accepted.withLock { $0 } }
    var asked: [String] { feature.asked.withLock { $0 } }
    var sent: [PushMessage] { ios.sent.map(\.message) }

    /// Posts a notification that is useful for an hour after it is due.
    func post(
        _ notification: PersonalNotification, key: String = "a", in delay: Duration = .zero,
        usefulFor lifetime: Duration = .hours(1)
    ) async throws {
        let due = clock.now.addingTimeInterval(delay / .seconds(1))
        let draft = PersonalDraft(
            notification, to: reader.id, key: key, dueAt: delay == .zero ? nil : due,
            usefulUntil: due.addingTimeInterval(lifetime / .seconds(1)))
        try await postgres.transaction { tx in try notifications.notify(tx, [draft]) }
    }

    func work() async throws {
        let service = NotificationService(
            outbox: OutboxStore(postgres: postgres), postgres: postgres, gateways: [.ios: ios], sources: [:],
            personalSources: [.review: feature.source(.night), .temptation: feature.source(.none)],
            invites: try await invitations(), logger: .silent)
        let worker = OutboxWorker(
            outbox: OutboxStore(postgres: postgres), handlers: service.handlers, lanes: service.lanes,
            logger: .silent)
        while try await worker.runOnce() > 0 {}
    }

    private func invitations() async throws -> InvitationService {
        GroupsFeature(
            GroupSettings(), links: InvitationLinks(publicURL: "https://dayly.test"),
            platform: .testing(postgres), accounts: try await Fixtures.accounts(postgres), pushes: nil
        ).invitations
    }

    func rows() async throws -> Int { try await count("SELECT count(*) AS count FROM outbox") }
}

extension NotificationKind {
    fileprivate static let review = NotificationKind(rawValue: "review")
    fileprivate static let temptation = NotificationKind(rawValue: "temptation")
    fileprivate static let results = NotificationKind(rawValue: "results")
}

@Suite("Personal notifications")
struct PersonalNotificationTests {
    private let review = PersonalNotification(.review, subject: "s", data: ["day": "2026-03-01"])

    @Test("a message names the texts of its kind, and carries its data and nothing else")
    func message() async throws {
        try await PersonalWorld.run { world in
            try await world.post(review)
            let data = ["type": "fomo", "number": "2"]
            try await world.post(
                PersonalNotification(.temptation, data: data, text: "temptation_fomo_2"), key: "b")
            try await world.work()
            let sent = world.sent.sorted { $0.titleKey < $1.titleKey }
            #expect(sent.map(\.titleKey) == ["push_review_title", "push_temptation_title"])
            #expect(sent.map(\.bodyKey) == ["push_review_body", "push_temptation_fomo_2"])
            #expect(
                sent.map(\.data) == [
                    ["kind": "review", "day": "2026-03-01"],
                    ["kind": "temptation", "type": "fomo", "number": "2"],
                ])
            #expect(sent.allSatisfy { $0.name == nil })
        }
    }

    /// Guard: the reader of a personal message may delete their account meanwhile (`DeviceStore.platforms`
    /// (`FOR KEY SHARE`))
    @Test(
        "a message to somebody who deletes their account at that moment is passed over, and the caller goes on"
    )
    func deletedMeanwhile() async throws {
        try await PersonalWorld.run { world in
            let posted = try await world.postgres.holding("DELETE FROM users WHERE id = \(world.reader.id)") {
                let posted = Task { try await world.post(review) }
                try await world.postgres.untilWaiting()
                return posted
            }
            try await posted.value
            #expect(try await world.rows() == 0)
        }
    }

    /// Guard: of one key one personal notification is posted (`NotificationOutbox.notify`)
    @Test("of one key one message goes out, however often it is posted")
    func once() async throws {
        try await PersonalWorld.run { world in
            for _ in 0..<3 {
                try await world.post(review)
                try await world.work()
            }
            #expect(world.sent.count == 1 && world.accepted == ["s"])
            try await world.post(review, key: "b")
            try await world.work()
            #expect(world.sent.count == 2)
        }
    }

    /// Guard: right before a personal notification is sent, its feature is asked whether its reason holds
    /// (`NotificationService`)
    @Test("a message whose reason is gone is not sent, and one that waits is asked about when it is due")
    func gone() async throws {
        try await PersonalWorld.run { world in
            try await world.post(review, in: .seconds(600))
            try await world.work()
            #expect(world.asked.isEmpty)
            world.isDue = false
            try await world.clock.advance(by: .seconds(600))
            try await world.work()
            #expect(world.asked == ["s"] && world.sent.isEmpty && world.accepted.isEmpty)
            #expect(try await world.rows() == 0)
        }
    }

    @Test("nothing is posted for a reader without a device, and a kind without a source is not sent")
    func unreachable() async throws {
        try await PersonalWorld.run { world in
            try await world.post(PersonalNotification(.results))
            try await world.work()
            #expect(world.sent.isEmpty)
            try await world.postgres.execute("DELETE FROM devices")
            try await world.post(review, key: "b")
            #expect(try await world.rows() == 0)
        }
    }

    /// Guard: an account without quiet hours has those of the night (`NotificationStore.user`)
    @Test("in the night of an account without quiet hours a message waits until 08:00, if it is useful then")
    func night() async throws {
        try await PersonalWorld.run(at: "2026-03-02T21:30:00Z", zone: "Europe/Berlin") { world in
            try await world.post(review, usefulFor: .hours(10))
            try await world.post(review, key: "b", usefulFor: .hours(9))
            // Temptations have quiet hours of their own.
            try await world.post(PersonalNotification(.temptation, data: ["type": "fomo"]), key: "c")
            try await world.work()
            #expect(world.sent.map(\.titleKey) == ["push_temptation_title"])
            #expect(try await world.rows() == 2)
            try await world.clock.set(to: Date("2026-03-03T06:59:59Z", strategy: .iso8601))
            try await world.work()
            #expect(world.sent.count == 1)
            try await world.clock.advance(by: .seconds(1))
            try await world.work()
            #expect(world.sent.count == 2 && world.accepted.count == 2)
        }
    }

    @Test("the account's own quiet hours hold for every kind")
    func ownQuietHours() async throws {
        try await PersonalWorld.run(at: "2026-03-02T12:00:00Z") { world in
            try await world.postgres.execute(
                "UPDATE users SET quiet_from = '11:00', quiet_to = '13:00' WHERE id = \(world.reader.id)")
            try await world.post(PersonalNotification(.temptation), usefulFor: .minutes(15))
            try await world.post(review, usefulFor: .hours(2))
            try await world.work()
            #expect(world.sent.isEmpty)
            try await world.clock.advance(by: .hours(1))
            try await world.work()
            #expect(world.sent.map(\.titleKey) == ["push_review_title"])
            // Their own hours take the place of those of the night.
            try await world.clock.set(to: Date("2026-03-02T23:00:00Z", strategy: .iso8601))
            try await world.post(review, key: "late")
            try await world.work()
            #expect(world.sent.count == 2)
        }
    }

    @Test("a message that no provider takes is not reported as accepted, and is not sent after its use")
    func expired() async throws {
        try await PersonalWorld.run { world in
            world.ios.answer { _, _ in .unavailable(after: nil, reason: "down") }
            try await world.post(review, usefulFor: .minutes(15))
            try await world.work()
            #expect(world.sent.count == 1)
            world.ios.answer { _, _ in .accepted }
            try await world.clock.advance(by: .minutes(15))
            try await world.work()
            #expect(world.sent.count == 1 && world.accepted.isEmpty)
        }
    }
}
