import Auth
@testable import DailyPhotos
import DaylyTesting
import FeatureKit
import Foundation
@testable import Groups
import Jobs
import Logging
import Messaging
import Postgres
import Push
import PushTesting
import Testing

@testable import Notifications

/// A group of people with devices, the notification service with recording gateways, and photos as rows.
struct NotificationsWorld: TestWorld {
    let postgres: PostgresClient
    let ios = RecordingPushGateway()
    let android = RecordingPushGateway()
    let sms: RecordingSMSGateway
    let notifications = NotificationOutbox(platforms: [.ios, .android])
    let devices: DeviceStore
    let invites: InvitationService
    let service: NotificationService
    let group = GroupID(rawValue: .version7())

    static func run(_ body: @escaping @Sendable (NotificationsWorld) async throws -> Void) async throws {
        let sms = RecordingSMSGateway()
        try await withDatabase { postgres in
            try await sms.withQueue { queue in
                let world = NotificationsWorld(postgres, sms, queue, try await Fixtures.accounts(postgres))
                try await world.group(id: world.group, of: [])
                try await body(world)
            }
        }
    }

    private init(
        _ postgres: PostgresClient, _ sms: RecordingSMSGateway, _ queue: SMSQueue,
        _ accounts: Accounts
    ) {
        self.postgres = postgres
        self.sms = sms
        devices = DeviceStore(postgres: postgres)
        invites =
            GroupsFeature(
                GroupSettings(), links: InvitationLinks(publicURL: "https://dayly.test"),
                platform: .testing(postgres, sms: queue), accounts: accounts, pushes: notifications
            ).invitations
        service = NotificationService(
            outbox: OutboxStore(postgres: postgres), postgres: postgres,
            gateways: [.ios: ios, .android: android],
            sources: [
                .photo: PhotoStore(postgres: postgres, groups: GroupMembership(postgres: postgres))
                    .notificationSource
            ],
            invites: invites, logger: .silent)
    }

    // MARK: People

    /// Signed in, with an iPhone unless told otherwise.
    func person(
        inGroup: Bool = true, timeZone: String = "UTC", device: PushPlatform? = .ios
    ) async throws -> Person {
        let person = try await person(name: "Ada", timeZone: timeZone)
        if inGroup { try await join(person) }
        if let device { try await register(Self.token(device), for: person) }
        return person
    }

    func join(_ person: Person) async throws { try await join(person.id, group) }
    func leave(_ person: Person) async throws { try await leave(person.id, group) }

    func register(_ token: DeviceToken, for person: Person, session: SessionID? = nil) async throws {
        try await devices.register(token, for: person.id, in: session ?? person.session)
    }

    /// Another one at each call.
    static func token(_ platform: PushPlatform = .ios) -> DeviceToken {
        let text = (UUID().uuidString + UUID().uuidString).replacing("-", with: "").lowercased()
        guard let token = DeviceToken(platform == .ios ? text : "fcm:\(text)", platform: platform)
        else {
            preconditionFailure("not a token: \(text)")
        }
        return token
    }

    func tokens(of person: Person) async throws -> [String] {
        try await postgres.query(
            "SELECT token FROM devices WHERE user_id = \(person.id) ORDER BY registered_at, id"
        ).map { try $0.get("token") }
    }

    // MARK: Photos

    /// A photo that was accepted just now, with what that leaves in the outbox.
    @discardableResult
    func photo(
        by sender: Person, ago age: Duration = .zero, lifetime: Duration = .hours(48),
        sentOn: String = "2026-01-01"
    ) async throws -> UUID {
        let photo = UUID.version7()
        let group = group
        try await postgres.transaction { [notifications] tx in
            try tx.execute(
                """
                INSERT INTO photos (id, group_id, sender_id, sent_on, created_at, expires_at, width, height, thumbhash,
                    photo_key, thumbnail_key)
                VALUES (\(photo), \(group), \(sender.id), \(sentOn)::date - (random() * 1000000)::integer,
                    now() - \(age), now() + \(lifetime - age), 640, 480, '\\x01', 'k', 't')
                """)
            try notifications.notify(
                tx, .photo, photo, in: group, by: sender.id, lifetime: .hours(48))
        }
        return photo
    }

    /// Deletes it as its sender does.
    func delete(_ photo: UUID) async throws {
        try await postgres.execute("UPDATE photos SET expires_at = now() WHERE id = \(photo)")
    }

    // MARK: Delivery

    func worker(_ change: (inout OutboxWorker.Configuration) -> Void = { _ in }) -> OutboxWorker {
        var configuration = OutboxWorker.Configuration()
        configuration.backoff.first = .milliseconds(1)
        change(&configuration)
        return OutboxWorker(
            outbox: OutboxStore(postgres: postgres), handlers: service.handlers, lanes: service.lanes,
            configuration: configuration, logger: .silent)
    }

    /// Delivers everything that is due now, and every row that results.
    func work() async throws {
        let worker = worker()
        while try await worker.runOnce() > 0 {}
    }

    /// Makes every row that waits due at once.
    func hurry() async throws {
        try await postgres.execute("UPDATE outbox SET due_at = now() WHERE done_at IS NULL")
    }

    func rows(_ condition: SQL = "true") async throws -> Int {
        try await count("SELECT count(*) AS count FROM outbox WHERE \(fragment: condition)")
    }

    /// Quiet hours around now, by the person's clock.
    func quiet(_ person: Person, from: Duration, to: Duration) async throws {
        try await postgres.execute(
            """
            UPDATE users
            SET quiet_from = to_char((now() AT TIME ZONE time_zone) + \(from), 'HH24:MI'),
                quiet_to = to_char((now() AT TIME ZONE time_zone) + \(to), 'HH24:MI')
            WHERE id = \(person.id)
            """)
    }

    /// A time zone where it is that hour of the day now, or the next.
    static func timeZone(atHour hour: Int) -> String {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let now = calendar.component(.hour, from: Date())
        var offset = (hour - now) % 24
        if offset > 13 { offset -= 24 }
        if offset < -12 { offset += 24 }
        // POSIX: west is positive.
        return offset == 0 ? "Etc/GMT" : "Etc/GMT\(offset > 0 ? "-" : "+")\(abs(offset))"
    }
}
