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

@testable import Notifications

@Suite("Delivery")
struct DeliveryTests {
    /// Guard: a device that was registered again is kept (`DeviceStore.drop`)
    @Test(
        "a device that is gone is deleted unless it was registered again, and other devices get the message")
    func unregistered() async throws {
        try await NotificationsWorld.run { world in
            let (ada, bob) = (try await world.person(), try await world.person())
            let (second, third) = (NotificationsWorld.token(), NotificationsWorld.token())
            for token in [second, third] { try await world.register(token, for: bob) }
            let first = try #require(try await world.tokens(of: bob).first)
            world.ios.answer { _, token in
                switch token.text {
                case first: .unregistered(since: nil, reason: "BadDeviceToken")
                // The token was useless a day ago, and was registered again since.
                case second.text:
                    .unregistered(since: Date(timeIntervalSinceNow: -86_400), reason: "Unregistered")
                default: .accepted
                }
            }
            try await world.photo(by: ada)
            try await world.work()
            #expect(world.ios.sent.count == 3)
            #expect(try await world.tokens(of: bob) == [second.text, third.text])
            #expect(try await world.rows("done_at IS NOT NULL") == 1)
        }
    }

    /// Guard: a device that was registered again is kept (`DeviceStore.drop`)
    @Test("a device that was registered again during the delivery stays")
    func registeredMeanwhile() async throws {
        try await NotificationsWorld.run { world in
            let (ada, bob) = (try await world.person(), try await world.person(device: nil))
            let token = NotificationsWorld.token()
            try await world.register(token, for: bob)
            world.ios.answer { _, _ in
                try? await world.register(token, for: bob)
                return .unregistered(since: Date(timeIntervalSinceNow: 60), reason: "Unregistered")
            }
            try await world.photo(by: ada)
            try await world.work()
            #expect(try await world.tokens(of: bob) == [token.text])
            // No message was delivered, so the next photo of the day is announced.
            world.ios.answer { _, _ in .accepted }
            try await world.photo(by: ada)
            try await world.work()
            #expect(world.ios.sent.count == 2)
        }
    }

    /// Guard: a device that has the message does not get it again (`NotificationService.deliver`)
    @Test("a failed message is retried only for the device that did not get it")
    func retry() async throws {
        try await NotificationsWorld.run { world in
            let (ada, bob) = (try await world.person(), try await world.person())
            try await world.register(NotificationsWorld.token(.android), for: bob)
            let failures = Mutex(3)
            world.ios.answer { _, _ in
                let left = failures.withLock { failures in
                    failures -= 1
                    return failures
                }
                return left >= 0 ? .unavailable(after: nil, reason: "ServiceUnavailable") : .accepted
            }
            try await world.photo(by: ada)
            for _ in 0..<6 {
                try await world.work()
                try await world.hurry()
            }
            #expect(world.ios.sent.count == 4)
            #expect(Set(world.ios.sent.map(\.message.id)).count == 1)
            #expect(world.android.sent.count == 1)
        }
    }

    @Test("a provider's Retry-After is respected, and waiting is not counted as a failure")
    func pauses() async throws {
        try await NotificationsWorld.run { world in
            let ada = try await world.person()
            _ = try await world.person()
            world.ios.answer { _, _ in .throttled(after: .seconds(600), reason: "TooManyRequests") }
            try await world.photo(by: ada)
            try await world.work()
            #expect(try await world.rows("due_at > now() + interval '9 minutes'") == 1)
            world.ios.answer { _, _ in .postponed(after: .seconds(30)) }
            for _ in 0..<3 {
                try await world.hurry()
                try await world.work()
            }
            #expect(try await world.rows("attempts <= 1 AND due_at > now() + interval '20 seconds'") == 1)
            #expect(try await world.rows("due_at < now() + interval '60 seconds'") == 1)
        }
    }

    /// Guard: a provider has bounded places and pauses after failures (`PushLane`, `Breaker.state`)
    @Test("a provider that hangs does not delay messages of the other")
    func hanging() async throws {
        try await NotificationsWorld.run { world in
            let ada = try await world.person()
            for _ in 0..<4 { _ = try await world.person() }
            let cyd = try await world.person(device: .android)
            world.ios.answer { _, _ in
                try? await Task.sleep(for: .seconds(60))
                return .unavailable(after: nil, reason: "no answer in time")
            }
            let worker = world.worker()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await worker.run() }
                try await world.photo(by: ada)
                try await eventually { !world.android.sent.isEmpty && world.ios.sent.count == 4 }
                #expect(try await world.android.tokens == world.tokens(of: cyd))
                group.cancelAll()
            }
        }
    }

    @Test("a device of a platform that is not configured does not count")
    func notConfigured() async throws {
        try await NotificationsWorld.run { world in
            let cyd = try await world.person(device: .android)
            let reachable = try await world.postgres.transaction { tx in
                try NotificationOutbox(platforms: [.ios]).reachable(tx, among: [cyd.number])
            }
            #expect(reachable.isEmpty)
            let nobody = try await world.postgres.transaction { tx in
                try NotificationOutbox(platforms: []).reachable(tx, among: [cyd.number])
            }
            #expect(nobody.isEmpty)
        }
    }
}

@Suite("Invitations by push")
struct InvitationNoticeTests {
    private func invite(_ number: PhoneNumber, _ world: NotificationsWorld, by inviter: Person) async throws {
        _ = try await world.invites.send(to: [number], group: world.group, by: inviter.id)
    }

    /// Guard: an invitee with a device gets a push message instead of the SMS (`InvitationService.decide`)
    @Test("an invitee with a device gets a push message instead of an SMS, and any other invitee an SMS")
    func either() async throws {
        try await NotificationsWorld.run { world in
            let ada = try await world.person()
            let bob = try await world.person(inGroup: false)
            let deviceless = try await world.person(inGroup: false, device: nil)
            let stranger = Fixtures.phoneNumber()
            for number in [bob.number, deviceless.number, stranger] {
                try await invite(number, world, by: ada)
            }
            try await world.work()
            #expect(try await world.ios.tokens == world.tokens(of: bob))
            let message = try #require(world.ios.sent.first?.message)
            let invite = try #require(try await world.invites.received(by: bob.id).first)
            let id = invite.id.rawValue.uuidString.lowercased()
            #expect(
                message.data == [
                    "kind": "invitation", "group_id": world.group.rawValue.uuidString.lowercased(),
                    "invite_id": id,
                ])
            #expect(message.collapseID == "invitation.\(id)")
            #expect(message.titleKey == "push_invitation_title")
            #expect(abs(message.expiresAt.timeIntervalSince(invite.expiresAt)) < 1)
            for number in [deviceless.number, stranger] {
                _ = try await world.sms.messages(to: number.rawValue)
            }
            #expect(world.sms.messages.count == 2)
            #expect(try await world.rows() == 0)
        }
    }

    @Test("when every device turns out to be gone, the SMS is sent after all")
    func fallBack() async throws {
        try await NotificationsWorld.run { world in
            let (ada, bob) = (try await world.person(), try await world.person(inGroup: false))
            world.ios.answer { _, _ in .unregistered(since: nil, reason: "BadDeviceToken") }
            try await invite(bob.number, world, by: ada)
            try await world.work()
            let code = try #require(try await world.invites.received(by: bob.id).first).code.rawValue
            let message = try #require(try await world.sms.messages(to: bob.number.rawValue).first)
            #expect(message.body.contains("Ada invited you") && message.body.contains("code: \(code)"))
            #expect(try await world.tokens(of: bob).isEmpty)
        }
    }

    /// Guard: an invitation falls back to one SMS (`InvitationService.sendBySMS`)
    @Test("push messages that were repeated while they waited fall back to one SMS")
    func fallBackOnce() async throws {
        try await NotificationsWorld.run { world in
            let (ada, bob) = (try await world.person(), try await world.person(inGroup: false))
            world.ios.answer { _, _ in .unregistered(since: nil, reason: "BadDeviceToken") }
            for _ in 0..<3 {
                try await invite(bob.number, world, by: ada)
                // Ten minutes pass.
                try await world.postgres.execute("DELETE FROM rate_counters")
            }
            #expect(try await world.rows() == 3)
            try await world.work()
            #expect(try await world.sms.messages(to: bob.number.rawValue).count == 1)
        }
    }

    /// Guard: an invitee's account may be deleted meanwhile (`DeviceStore.keepOwner`)
    @Test(
        "an invitation to somebody who deletes their account at that moment is one to a number without an account"
    )
    func deletedMeanwhile() async throws {
        try await NotificationsWorld.run { world in
            let (ada, bob) = (try await world.person(), try await world.person(inGroup: false))
            let invited = try await world.postgres.holding("DELETE FROM users WHERE id = \(bob.id)") {
                let invited = Task { try await invite(bob.number, world, by: ada) }
                try await world.postgres.untilWaiting()
                return invited
            }
            try await invited.value
            #expect(try await world.rows() == 0)
        }
    }

    @Test("a number that opted out gets push messages, and no SMS in their place")
    func optedOut() async throws {
        try await NotificationsWorld.run { world in
            let (ada, bob) = (try await world.person(), try await world.person(inGroup: false))
            let optOuts = OptOutStore(postgres: world.postgres, hashes: Fixtures.numberHashes)
            try await optOuts.stop(bob.number)
            try await invite(bob.number, world, by: ada)
            try await world.work()
            #expect(world.ios.sent.count == 1)
            world.ios.answer { _, _ in .unregistered(since: nil, reason: "BadDeviceToken") }
            try await world.postgres.execute("DELETE FROM rate_counters")
            try await invite(bob.number, world, by: ada)
            try await world.work()
            try await Task.sleep(for: .milliseconds(100))
            #expect(world.sms.messages.isEmpty)
        }
    }

    @Test("an invitation that was redeemed, revoked, expired or blocked meanwhile is not delivered")
    func over() async throws {
        let changes: [@Sendable (NotificationsWorld, Person, Person) async throws -> Void] = [
            { world, _, _ in try await world.postgres.execute("UPDATE invites SET used_at = now()") },
            { world, _, _ in try await world.postgres.execute("UPDATE invites SET revoked_at = now()") },
            { world, _, _ in try await world.postgres.execute("UPDATE invites SET expires_at = now()") },
            { world, _, bob in try await world.join(bob) },
            { world, ada, bob in
                try await world.postgres.execute(
                    """
                    INSERT INTO blocks (blocker_id, number_hmac, blocked_id) VALUES (\(bob.id), '\\x01', \(ada.id))
                    """)
            },
        ]
        for change in changes {
            try await NotificationsWorld.run { world in
                let (ada, bob) = (try await world.person(), try await world.person(inGroup: false))
                try await invite(bob.number, world, by: ada)
                try await change(world, ada, bob)
                try await world.work()
                #expect(world.ios.sent.isEmpty)
                try await Task.sleep(for: .milliseconds(50))
                #expect(world.sms.messages.isEmpty)
            }
        }
    }

    @Test("quiet hours delay an invitation, into the next day if necessary")
    func quiet() async throws {
        try await NotificationsWorld.run { world in
            let ada = try await world.person()
            let bob = try await world.person(
                inGroup: false, timeZone: NotificationsWorld.timeZone(atHour: 20))
            try await world.quiet(bob, from: .hours(-1), to: .hours(10))
            try await invite(bob.number, world, by: ada)
            try await world.work()
            #expect(world.ios.sent.isEmpty)
            #expect(try await world.rows("due_at > now() + interval '9 hours'") == 1)
            try await world.quiet(bob, from: .hours(-2), to: .hours(-1))
            try await world.hurry()
            try await world.work()
            #expect(world.ios.sent.count == 1)
        }
    }

    @Test("an invitee gets ten pushes a day from all inviters, and the list of invitations shows them all")
    func limit() async throws {
        try await NotificationsWorld.run { world in
            let bob = try await world.person(inGroup: false)
            for _ in 0..<12 {
                let inviter = try await world.person(inGroup: false)
                let group = GroupID(rawValue: .version7())
                try await world.postgres.execute("INSERT INTO groups (id, name) VALUES (\(group), 'More')")
                try await world.postgres.execute(
                    "INSERT INTO group_members (group_id, user_id) VALUES (\(group), \(inviter.id))")
                _ = try await world.invites.send(to: [bob.number], group: group, by: inviter.id)
            }
            try await world.work()
            #expect(world.ios.sent.count == 10)
            #expect(try await world.invites.received(by: bob.id).count == 12)
            #expect(world.sms.messages.isEmpty)
        }
    }
}
