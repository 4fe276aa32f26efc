import Auth
import DaylyTesting
import FeatureKit
import Foundation
@testable import Groups
import Postgres
import Push
import PushTesting
import Synchronization
import Testing

@testable import Jobs
@testable import Notifications

@Suite("Being told of photos")
struct PhotoNoticeTests {
    /// Guard: the sender, muted, former and signed-out members get no notification
    /// (`NotificationStore.fanOut`, `NotificationService.timing`, `DeviceStore.isLive`)
    @Test(
        "the day's first photo is announced once to every other member with a device, and never to its sender"
    )
    func first() async throws {
        try await NotificationsWorld.run { world in
            let ada = try await world.person()
            let bob = try await world.person()
            let cyd = try await world.person(device: .android)
            _ = try await world.person(device: nil)
            _ = try await world.person(inGroup: false)
            try await world.photo(by: ada)
            try await world.work()
            #expect(try await world.ios.tokens == world.tokens(of: bob))
            #expect(try await world.android.tokens == world.tokens(of: cyd))
            let message = try #require(world.ios.sent.first?.message)
            let group = world.group.rawValue.uuidString.lowercased()
            #expect(message.data == ["kind": "photo", "group_id": group])
            #expect(message.threadID == group)
            #expect(message.titleKey == "push_photo_title" && message.bodyKey == "push_photo_body")
            #expect(message.collapseID.hasPrefix("photo.\(group).20") && message.collapseID.utf8.count <= 64)
            #expect(abs(message.expiresAt.timeIntervalSinceNow - 172_800) < 60, "the photo's expiry")
            // These are the second and third photo of the day.
            try await world.photo(by: ada)
            try await world.photo(by: bob)
            try await world.work()
            #expect(try await world.ios.tokens == world.tokens(of: bob) + world.tokens(of: ada))
            #expect(world.android.sent.count == 1)
            #expect(try await world.rows("done_at IS NULL") == 0)
        }
    }

    /// Guard: once per recipient, group and day, whatever races (`NotificationStore.key`)
    @Test("when two first photos come at once over several workers, each recipient gets one message")
    func race() async throws {
        try await NotificationsWorld.run { world in
            var people: [Person] = []
            for _ in 0..<6 { people.append(try await world.person()) }
            let senders = people
            for _ in 0..<5 {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for sender in senders.prefix(4) {
                        group.addTask { try await world.photo(by: sender) }
                    }
                    for _ in 0..<3 { group.addTask { try await world.work() } }
                    try await group.waitForAll()
                }
            }
            try await world.work()
            var expected: [String] = []
            for person in people { expected += try await world.tokens(of: person) }
            #expect(world.ios.tokens.sorted() == expected.sorted())
        }
    }

    /// Guard: a repeated message after a kill is identical (`NotificationService.message`)
    @Test("a message whose delivery was not recorded before a crash is sent again under the same id")
    func crash() async throws {
        try await NotificationsWorld.run { world in
            let ada = try await world.person()
            _ = try await world.person()
            try await world.photo(by: ada)
            _ = try await world.worker().runOnce()
            // The worker does everything except record the result.
            let outbox = OutboxStore(postgres: world.postgres)
            let taken = try await outbox.claim(
                topics: ["notice"], limit: 10, lanes: ["ios": 10], lease: .milliseconds(200))
            #expect(taken.count == 1)
            for item in taken { _ = try await world.service.handlers["notice"]?(item) }
            try await Task.sleep(for: .milliseconds(300))
            try await world.work()
            #expect(world.ios.sent.count == 2)
            #expect(Set(world.ios.sent.map(\.message.id)).count == 1)
            #expect(Set(world.ios.sent.map(\.message.collapseID)).count == 1)
        }
    }

    @Test("fanning out twice, as after a crash, sends no member two messages")
    func spreadTwice() async throws {
        try await NotificationsWorld.run { world in
            let ada = try await world.person()
            _ = try await world.person()
            try await world.photo(by: ada)
            let outbox = OutboxStore(postgres: world.postgres)
            let taken = try await outbox.claim(topics: ["news"], limit: 10, lease: .zero)
            for item in taken { _ = try await world.service.handlers["news"]?(item) }
            try await world.work()
            #expect(world.ios.sent.count == 1)
        }
    }

    /// Guard: the sender, muted, former and signed-out members get no notification
    /// (`NotificationStore.fanOut`, `NotificationService.timing`, `DeviceStore.isLive`)
    @Test(
        "a member who muted the group, left it, signed out or was deleted before the delivery gets no message"
    )
    func notAnyMore() async throws {
        let changes: [@Sendable (NotificationsWorld, Person) async throws -> Void] = [
            { try await $0.leave($1) },
            { world, bob in
                try await world.postgres.execute(
                    "UPDATE group_members SET muted_until = 'infinity' WHERE user_id = \(bob.id)")
            },
            { world, bob in
                try await world.postgres.execute(
                    "UPDATE sessions SET ended_at = now() WHERE id = \(bob.session)")
            },
            { world, bob in
                try await world.postgres.execute(
                    "UPDATE sessions SET expires_at = now() WHERE id = \(bob.session)")
            },
            { try await $0.postgres.execute("DELETE FROM users WHERE id = \($1.id)") },
        ]
        for change in changes {
            try await NotificationsWorld.run { world in
                let (ada, bob) = (try await world.person(), try await world.person())
                try await world.photo(by: ada)
                // The recipients are known already.
                _ = try await world.worker().runOnce()
                #expect(try await world.rows("topic = 'notice'") == 1)
                try await change(world, bob)
                try await world.work()
                #expect(world.ios.sent.isEmpty)
                #expect(try await world.rows() == 0, "and nothing stays")
            }
        }
    }

    @Test("a member who had muted the group gets a message about the next photo after unmuting")
    func muted() async throws {
        try await NotificationsWorld.run { world in
            let (ada, bob) = (try await world.person(), try await world.person())
            try await world.postgres.execute(
                "UPDATE group_members SET muted_until = now() + interval '1 hour' WHERE user_id = \(bob.id)")
            try await world.photo(by: ada)
            try await world.work()
            #expect(world.ios.sent.isEmpty)
            try await world.postgres.execute("UPDATE group_members SET muted_until = now()")
            try await world.work()
            #expect(world.ios.sent.isEmpty)
            try await world.photo(by: ada)
            try await world.work()
            #expect(try await world.ios.tokens == world.tokens(of: bob))
        }
    }

    /// Guard: a deleted photo is not announced (`PhotoStore.news`)
    @Test("a photo that is deleted before its message is not announced, and the next one is")
    func gone() async throws {
        try await NotificationsWorld.run { world in
            let (ada, bob) = (try await world.person(), try await world.person())
            let early = try await world.photo(by: ada)
            try await world.delete(early)
            try await world.work()
            let late = try await world.photo(by: ada)
            _ = try await world.worker().runOnce()
            try await world.delete(late)
            try await world.work()
            #expect(world.ios.sent.isEmpty)
            // Another photo of that day is announced instead.
            let other = try await world.photo(by: ada)
            _ = try await world.worker().runOnce()
            try await world.photo(by: ada)
            try await world.delete(other)
            try await world.work()
            #expect(try await world.ios.tokens == world.tokens(of: bob))
        }
    }

    /// Guard: a day is the reader's own; its key is kept as long as it is that day anywhere
    /// (`NotificationStore.fanOut`)
    @Test("a day is the reader's own: a photo of today may be one of yesterday elsewhere")
    func days() async throws {
        try await NotificationsWorld.run { world in
            let ada = try await world.person()
            // There it has just become today, or is about to be tomorrow.
            let bob = try await world.person(timeZone: NotificationsWorld.timeZone(atHour: 2))
            try await world.photo(by: ada, ago: .hours(4))
            _ = try await world.worker().runOnce()
            let yesterday = try await world.postgres.first(
                """
                SELECT key LIKE '%' || (local_day(now(), time_zone) - 1)::text AS is_yesterday
                FROM outbox JOIN users ON users.id = outbox.user_id
                """)
            #expect(try #require(yesterday).get("is_yesterday", as: Bool.self))
            try await world.postgres.execute("DELETE FROM outbox")
            // Yesterday's photo does not suppress the message about today's.
            try await world.photo(by: ada, ago: .hours(4))
            try await world.photo(by: ada)
            try await world.work()
            #expect(try await world.ios.tokens == world.tokens(of: bob))
        }
    }

    @Test("a photo from just before midnight is announced just after it")
    func midnight() async throws {
        try await NotificationsWorld.run { world in
            let ada = try await world.person()
            let bob = try await world.person(timeZone: NotificationsWorld.timeZone(atHour: 0))
            let row = try await world.postgres.first(
                """
                SELECT extract(epoch FROM now() - (local_day(now(), time_zone)::timestamp AT TIME ZONE time_zone))::float8
                    AS seconds FROM users WHERE id = \(bob.id)
                """)
            let sinceMidnight: Double = try #require(row).get("seconds")
            // It was yesterday there at most an hour ago, and the message is still useful within this hour.
            guard sinceMidnight < 3_500 else { return }
            try await world.photo(by: ada, ago: .seconds(sinceMidnight + 30))
            try await world.work()
            #expect(try await world.ios.tokens == world.tokens(of: bob))
        }
    }

    /// Guard: a day is the reader's own; its key is kept as long as it is that day anywhere
    /// (`NotificationStore.fanOut`)
    @Test("a message's key stays used while it is that day anywhere on Earth")
    func keys() async throws {
        try await NotificationsWorld.run { world in
            let ada = try await world.person()
            _ = try await world.person(timeZone: "Pacific/Kiritimati")
            try await world.photo(by: ada)
            try await world.work()
            let row = try await world.postgres.first(
                """
                SELECT keep_until >= ((right(key, 10)::date + 1)::timestamp AT TIME ZONE 'Etc/GMT+12') AS is_kept
                FROM outbox WHERE done_at IS NOT NULL
                """)
            #expect(try #require(row).get("is_kept", as: Bool.self))
        }
    }
}

@Suite("Quiet hours")
struct QuietHoursTests {
    @Test("a photo in quiet hours is announced when they end, on that day and with low urgency")
    func later() async throws {
        try await NotificationsWorld.run { world in
            let ada = try await world.person()
            let bob = try await world.person(timeZone: NotificationsWorld.timeZone(atHour: 9))
            try await world.quiet(bob, from: .hours(-1), to: .hours(1))
            try await world.photo(by: ada)
            try await world.work()
            #expect(world.ios.sent.isEmpty)
            let row = try await world.postgres.first(
                """
                SELECT to_char(due_at AT TIME ZONE time_zone, 'HH24:MI') = quiet_to AS is_right
                FROM outbox JOIN users ON users.id = outbox.user_id
                """)
            #expect(try #require(row).get("is_right", as: Bool.self))
            // A worker that runs too early leaves the message; after the quiet hours it is delivered once.
            try await world.hurry()
            try await world.work()
            #expect(world.ios.sent.isEmpty)
            try await world.quiet(bob, from: .hours(-2), to: .hours(-1))
            try await world.hurry()
            try await world.work()
            #expect(world.ios.sent.map(\.message.urgency) == [.relaxed])
            try await world.photo(by: ada)
            try await world.work()
            #expect(world.ios.sent.count == 1)
        }
    }

    /// Guard: quiet hours: later on the same day or not at all (`NotificationService.timing`)
    @Test("quiet hours into the next day drop the message, and the next photo is announced")
    func notAtAll() async throws {
        try await NotificationsWorld.run { world in
            let ada = try await world.person()
            let bob = try await world.person(timeZone: NotificationsWorld.timeZone(atHour: 20))
            try await world.quiet(bob, from: .hours(-1), to: .hours(10))
            try await world.photo(by: ada)
            try await world.work()
            #expect(world.ios.sent.isEmpty)
            #expect(try await world.rows() == 0)
        }
    }

    /// Guard: quiet hours: later on the same day or not at all (`NotificationService.timing`)
    @Test("quiet hours that end after the photo's end drop its message")
    func tooLate() async throws {
        try await NotificationsWorld.run { world in
            let ada = try await world.person()
            let bob = try await world.person(timeZone: NotificationsWorld.timeZone(atHour: 9))
            try await world.quiet(bob, from: .hours(-1), to: .hours(1))
            try await world.photo(by: ada, lifetime: .minutes(30))
            try await world.work()
            #expect(world.ios.sent.isEmpty)
            #expect(try await world.rows() == 0)
        }
    }

    @Test(
        "quiet hours end at the local time, also around clock changes",
        arguments: [
            ("2026-06-01 22:00+02", "22:00", "07:00", "2026-06-02 07:00+02"),
            ("2026-06-01 21:59+02", "22:00", "07:00", nil),
            ("2026-06-02 06:59:59+02", "22:00", "07:00", "2026-06-02 07:00+02"),
            ("2026-06-02 07:00+02", "22:00", "07:00", nil),
            ("2026-06-02 12:30+02", "12:00", "13:00", "2026-06-02 13:00+02"),
            ("2026-06-02 11:59+02", "12:00", "13:00", nil),
            ("2026-06-02 13:00+02", "12:00", "13:00", nil),
            // Clocks go forward at 02:00 and back at 03:00.
            ("2026-03-29 01:30+01", "22:00", "02:30", "2026-03-29 03:30+02"),
            ("2026-10-25 01:30+02", "22:00", "07:00", "2026-10-25 07:00+01"),
            ("2026-10-25 02:10+01", "22:00", "02:30", "2026-10-25 02:30+01"),
        ] as [(String, String, String, String?)])
    func ends(at: String, from: String, to: String, end: String?) async throws {
        try await NotificationsWorld.run { world in
            let row = try await world.postgres.first(
                """
                SELECT quiet_until(\(at)::timestamptz, 'Europe/Berlin', \(from), \(to))
                    IS NOT DISTINCT FROM \(end)::timestamptz AS is_right,
                    quiet_until(\(at)::timestamptz, 'Europe/Berlin', NULL, NULL) IS NULL AS is_none
                """)
            #expect(try #require(row).get("is_right", as: Bool.self))
            #expect(try #require(row).get("is_none", as: Bool.self))
        }
    }
}
