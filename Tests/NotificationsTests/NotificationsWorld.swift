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
import RateLimiting
import Testing

@testable import Notifications

/// A group of people with devices, what they are told with, and photos as rows.
struct World: Sendable {
    let postgres: PostgresClient
    let ios = RecordingPushGateway()
    let android = RecordingPushGateway()
    let sms: RecordingSMSGateway
    let notifications = NotificationOutbox(platforms: [.ios, .android])
    let devices: DeviceStore
    let invites: InvitationService
    let service: NotificationService
    let group = GroupID(rawValue: .version7())

    struct Person: Sendable {
        let id: UserID
        let session: SessionID
        let number: PhoneNumber
    }

    static func run(_ body: @escaping @Sendable (World) async throws -> Void) async throws {
        try await withDatabase { postgres in
            let sms = RecordingSMSGateway()
            let logger = Logger.silent
            let queue = SMSQueue(gateway: sms, logger: logger)
            let sending = Task { try await queue.run() }
            defer { sending.cancel() }
            let world = World(postgres, sms, queue, try await Fixtures.accounts(postgres), logger)
            try await postgres.execute("INSERT INTO groups (id, name) VALUES (\(world.group), 'Family')")
            try await body(world)
        }
    }

    private init(
        _ postgres: PostgresClient, _ sms: RecordingSMSGateway, _ queue: SMSQueue,
        _ accounts: Accounts, _ logger: Logger
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
            invites: invites,
            logger: logger)
    }

    // MARK: People

    /// Signed in, with an iPhone unless told otherwise.
    func person(
        inGroup: Bool = true, timeZone: String = "UTC", device: PushPlatform? = .ios
    ) async throws -> Person {
        let number = Fixtures.phoneNumber()
        let id = try await Fixtures.user(in: postgres, phone: number, timeZone: timeZone)
        let person = Person(
            id: id, session: try await Fixtures.session(in: postgres, of: id), number: number)
        if inGroup { try await join(person) }
        if let device { try await register(Self.token(device), for: person) }
        return person
    }

    func join(_ person: Person) async throws {
        try await postgres.execute(
            "INSERT INTO group_members (group_id, user_id) VALUES (\(group), \(person.id))")
    }

    func leave(_ person: Person) async throws {
        try await postgres.execute(
            "DELETE FROM group_members WHERE group_id = \(group) AND user_id = \(person.id)")
    }

    func register(_ token: DeviceToken, for person: Person, session: SessionID? = nil) async throws {
        try await devices.register(token, for: person.id, in: session ?? person.session)
    }

    /// Another one at each call.
    static func token(_ platform: PushPlatform = .ios) -> DeviceToken {
        let text = (UUID().uuidString + UUID().uuidString).replacing("-", with: "").lowercased()
        guard let token = DeviceToken(platform == .ios ? text : "fcm:\(text)", platform: platform)
        else {
            preconditionFailure("no token: \(text)")
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
        by sender: Person, ago seconds: Double = 0, lifetime: Double = 172_800,
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
                    now() - make_interval(secs => \(seconds)),
                    now() + make_interval(secs => \(lifetime - seconds)),
                    640, 480, '\\x01', 'k', 't')
                """)
            try notifications.notify(
                tx, .photo, photo, in: group, by: sender.id, lifetime: .seconds(172_800))
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
            configuration: configuration,
            logger: .silent)
    }

    /// Does all that is due now, and what follows from it.
    func work() async throws {
        let worker = worker()
        while try await worker.runOnce() > 0 {}
    }

    /// Makes every row that waits due at once.
    func hurry() async throws {
        try await postgres.execute("UPDATE outbox SET due_at = now() WHERE done_at IS NULL")
    }

    func rows(_ condition: SQL = "true") async throws -> Int {
        try await postgres.first("SELECT count(*) AS count FROM outbox WHERE \(fragment: condition)")?
            .get("count") ?? -1
    }

    /// Quiet hours around now, in minutes from now, by the person's clock.
    func quiet(_ person: Person, from: Int, to: Int) async throws {
        try await postgres.execute(
            """
            UPDATE users
            SET quiet_from = to_char((now() AT TIME ZONE time_zone) + \(from) * interval '1 minute', 'HH24:MI'),
                quiet_to = to_char((now() AT TIME ZONE time_zone) + \(to) * interval '1 minute', 'HH24:MI')
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
