import DaylyAPI
import DaylyTesting
import DeviceIntake
import FeatureKit
import Foundation
import HTTPKit
import Postgres
import Push
import PushTesting
import Testing

@testable import Companion
@testable import Groups
@testable import Notifications

@Suite("The evening's push message of Companion")
struct CompanionNightlyTests {
    @Test("it is sent at 23:00 if the day has an event by then, once, by many instances, and names nothing")
    func sent() async throws {
        try await CompanionSyncWorld.run { world in
            let post = try Post(world)
            let ada = try await post.reader()
            _ = try await post.reader()
            try await world.phone(of: ada).report("reshield", at: BerlinDays.instant(1, "12:00"))
            try await world.set(BerlinDays.instant(1, "22:59:59"))
            try await post.work()
            #expect(post.phones.sent.isEmpty)
            try await world.set(BerlinDays.instant(1, "23:00"))
            try await post.work()
            try await post.work()
            let message = try #require(post.phones.sent.first?.message)
            #expect(post.phones.sent.count == 1)
            #expect(message.titleKey == "push_companion_nightly_title")
            #expect(message.bodyKey == "push_companion_nightly_body")
            #expect(message.data == ["kind": "companion_nightly"] && message.name == nil)
        }
    }

    /// Guard: a day whose first event comes after 23:00 has no message (`CompanionDayStore.closeNightly`)
    /// Guard: the reason of a message holds when it is posted and right before it goes out
    /// (`CompanionNightlyStore`, `CompanionNightlySource`, `CompanionPetNotices`)
    @Test(
        "it is not sent after a terminal, without the wish, without an event by 23:00, or an hour after the end",
        arguments: ["terminal", "unwished", "late event", "late job", "none"])
    func unsent(reason: String) async throws {
        try await CompanionSyncWorld.run { world in
            let post = try Post(world)
            let ada = try await post.reader(nightly: reason != "unwished")
            let phone = world.phone(of: ada)
            if reason != "late event" {
                try await phone.report("reshield", at: BerlinDays.instant(1, "07:00"))
            }
            if reason == "terminal" {
                for place in 0..<20 {
                    try await phone.report("bypass", at: BerlinDays.instant(1, "08:00") + place * 1_800)
                }
            }
            if reason == "late event" {
                try await phone.report("reshield", at: BerlinDays.instant(1, "23:30"))
            }
            try await world.set(
                reason == "late job" ? BerlinDays.instant(2, "01:00") : BerlinDays.instant(1, "23:40"))
            try await post.work()
            #expect(post.phones.sent.count == (reason == "none" ? 1 : 0), "\(reason)")
        }
    }

    /// Guard: the reason of a message holds when it is posted and right before it goes out
    /// (`CompanionNightlyStore`, `CompanionNightlySource`, `CompanionPetNotices`)
    @Test("its reason is asked right before it goes out, and quiet hours that were set hold")
    func askedAgain() async throws {
        try await CompanionSyncWorld.run { world in
            let post = try Post(world)
            let (ada, bob) = (try await post.reader(), try await post.reader())
            for person in [ada, bob] {
                try await world.phone(of: person).report("reshield", at: BerlinDays.instant(1, "12:00"))
            }
            try await world.postgres.execute(
                "UPDATE users SET quiet_from = '22:30', quiet_to = '06:00' WHERE id = \(bob.id)")
            try await world.set(BerlinDays.instant(1, "23:00"))
            try await world.feature.nightly.runOnce()
            try await world.put(
                #"{"consent": "1", "limit_minutes": 120, "nightly": false}"#, for: ada)
            try await post.work()
            #expect(post.phones.sent.isEmpty)
            try await world.set(BerlinDays.instant(2, "07:00"))
            try await post.work()
            #expect(post.phones.sent.isEmpty)
        }
    }
}

/// The job of the evening and the delivery of push messages.
private struct Post {
    let phones = RecordingPushGateway()
    private let world: CompanionSyncWorld
    private let notifications: NotificationsFeature

    init(_ world: CompanionSyncWorld) throws {
        self.world = world
        let groups = GroupsFeature(
            GroupSettings(), links: InvitationLinks(publicURL: "https://dayly.test"),
            platform: world.platform,
            accounts: world.accounts, pushes: nil)
        notifications = NotificationsFeature(
            gateways: [.ios: phones], platform: world.platform, invitations: groups.invitations, sources: [:],
            personalSources: CompanionFeature.notificationSources(CompanionSettings(), world.platform))
    }

    /// An owner with a phone that receives push messages.
    func reader(nightly: Bool = true) async throws -> Person {
        let person = try await world.owner(
            #"{"consent": "1", "limit_minutes": 120, "cooldown_minutes": 10, "nightly": \#(nightly)}"#)
        let token = (UUID().uuidString + UUID().uuidString).replacing("-", with: "").lowercased()
        if let token = DeviceToken(token, platform: .ios) {
            try await DeviceStore(postgres: world.postgres).register(
                token, for: person.id, in: person.session)
        }
        return person
    }

    func work() async throws {
        let feature = world.feature
        _ = try await atOnce(3) { _ in try await feature.nightly.runOnce() }
        while try await notifications.worker.runOnce() > 0 {}
    }
}
