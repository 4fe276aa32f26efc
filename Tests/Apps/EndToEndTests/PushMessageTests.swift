import DaylyAPI
import DaylyTesting
import Foundation
import PushTesting
import Testing

extension EndToEnd {
    @Suite("Push messages")
    struct PushMessageTests {
        @Test(
            "members hear of the first photo and invitees of invitations, through kill -9, and providers of nobody"
        )
        func story() async throws {
            try await FakeAPNS.run { apns in
                try await FakeFCM.run { fcm in
                    let temporary = try TemporaryFolder()
                    defer { withExtendedLifetime(temporary) {} }
                    let folder = temporary.url
                    var settings = ["push.kind": "apns,fcm", "log.level": "trace"]
                    settings.merge(try apns.settings(in: folder)) { $1 }
                    settings.merge(try fcm.settings(in: folder)) { $1 }
                    try await Service.run(on: .filesystem, settings) { service in
                        try await PushStory(service: service, apns: apns, fcm: fcm).tell()
                    }
                }
            }
        }
    }
}

private struct PushStory {
    let service: Service
    let apns: FakeAPNS
    let fcm: FakeFCM
    let iPhone = String(repeating: "0badcafe", count: 8)
    let pixel = "dQw4w9WgXcQ:APA91bEndToEndTestToken-_0123456789"

    func tell() async throws {
        let ada = try await Person.signIn("Xanthippe", "+14155550101", to: service)
        let bob = try await Person.signIn("Zebulon", "+14155550102", to: service)
        let cyd = try await Person.signIn("Quintilian", "+14155550103", to: service)
        try await register(iPhone, "ios", for: bob)
        try await register(pixel, "android", for: cyd)

        let group = try await invite(bob, cyd, by: ada)
        try await hearOfPhoto(in: group, by: ada)
        try await surviveKill(ada, bob)
        try await commands()
        try await signOut(ada, bob)

        #expect(apns.record.violations == [])
        #expect(fcm.record.violations == [])
        for push in apns.record.pushes + fcm.record.pushes {
            for foreign in ["Xanthippe", "Zebulon", "Quintilian", "Breakfast", "Supper", "+1415", "http"] {
                #expect(!push.text.contains(foreign))
            }
        }
    }

    private func register(_ token: String, _ platform: String, for person: Person) async throws {
        let reply = try await person.post(
            "/v1/devices/register", DeviceRegistration(deviceToken: token, platform: platform))
        #expect(reply.status == 204, "\(reply)")
    }

    /// Both have the app: they are told by push, and their inviter sees no difference.
    private func invite(_ bob: Person, _ cyd: Person, by ada: Person) async throws -> ResourceID {
        let created = try await ada.createGroup("Breakfast", inviting: [bob.number, cyd.number])
        #expect(created.invitations.allSatisfy { $0.outcome == .invited && $0.code != nil })
        let told = try await apns.record.accepted(atLeast: 1) + fcm.record.accepted(atLeast: 1)
        #expect(told.allSatisfy { $0.text.contains(#""kind":"invitation""#) })
        for (person, invitation) in zip([bob, cyd], created.invitations) {
            let reply = try await person.redeem(try #require(invitation.code))
            #expect(reply.status == 200, "\(reply)")
        }
        #expect(service.inbox.messages.allSatisfy { !$0.body.contains("invited") })
        return created.group.id
    }

    private func hearOfPhoto(in group: ResourceID, by ada: Person) async throws {
        let reply = try await ada.send(
            Pictures.png(width: 64, height: 64), to: group, key: "one", type: "image/png")
        let photo: Photo = try reply.decode()
        let bobs = try #require(try await apns.record.accepted(atLeast: 2).last)
        let cyds = try #require(try await fcm.record.accepted(atLeast: 2).last)
        #expect(bobs.token == iPhone && cyds.token == pixel)
        #expect(bobs.json["group_id"] as? String == group.description)
        #expect(bobs.headers["apns-expiration"] == "\(Int(photo.expiresAt.timeIntervalSince1970))")
        #expect((bobs.json["aps"] as? [String: Any])?["thread-id"] as? String == group.description)
    }

    /// The provider has it and says nothing; the process dies; another one tells it again, as the same message.
    private func surviveKill(_ ada: Person, _ bob: Person) async throws {
        let created = try await ada.createGroup("Supper", inviting: [bob.number])
        _ = try await apns.record.accepted(atLeast: 3)
        _ = try await bob.redeem(try #require(created.invitations.first?.code))
        apns.record.answer { _ in .hang }
        let reply = try await ada.send(
            Pictures.png(width: 64, height: 64), to: created.group.id, key: "two", type: "image/png")
        #expect(reply.status == 201, "a provider that hangs keeps nobody waiting")
        let hung = try #require(try await apns.record.pushes(atLeast: 4).last)
        try await service.kill9()
        apns.record.answer { _ in .accept }
        // The lease of who died, run out.
        try await service.database.client.execute("UPDATE outbox SET due_at = now() WHERE done_at IS NULL")
        try await service.start()
        let told = try #require(try await apns.record.accepted(atLeast: 4).last)
        for name in ["apns-id", "apns-collapse-id", "apns-expiration"] {
            #expect(told.headers[name] == hung.headers[name])
        }
        #expect(told.body == hung.body)
    }

    private func commands() async throws {
        let tested = try await service.run("push", "test", iPhone)
        #expect(tested.status == 0 && tested.output.contains("apns has accepted"), "\(tested.output)")
        let android = try await service.run("push", "test", pixel, "--platform", "android")
        #expect(android.status == 0 && android.output.contains("fcm has accepted"), "\(android.output)")
        let doctor = try await service.run("doctor")
        #expect(doctor.output.contains("push: apns accepts our credentials"), "\(doctor.output)")
        #expect(doctor.output.contains("push: fcm accepts our credentials"), "\(doctor.output)")
        apns.record.answer { _ in .refuse(403, reason: "InvalidProviderToken") }
        let refused = try await service.run("push", "test", iPhone)
        #expect(refused.status == 1 && refused.output.contains("push.apns.team_id"), "\(refused.output)")
        #expect(
            try await service.run("doctor").output.contains("PROBLEM  push: apns refuses our credentials"))
        apns.record.answer { _ in .accept }
        #expect(try await service.run("push", "test", "no token at all").status == 1)
    }

    private func signOut(_ ada: Person, _ bob: Person) async throws {
        let reply = try await bob.post(
            "/v1/auth/logout", RefreshRequest(refreshToken: bob.tokens.refreshToken))
        #expect(reply.status == 204)
        let devices = try await service.database.client.query("SELECT token FROM devices")
        #expect(try devices.map { try $0.get("token", as: String.self) } == [pixel])
    }
}
