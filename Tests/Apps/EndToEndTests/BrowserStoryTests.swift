import DaylyAPI
import DaylyTesting
import Foundation
import PushTesting
import Testing

extension EndToEnd {
    @Suite("Browsers")
    struct BrowserStoryTests {
        /// Guard: a message about a photo reaches a browser in words that only it can read, and no log names
        /// the browser (`WebPushGateway`, `DeviceToken`)
        @Test(
            "a browser hears of a photo in words that only it can read, until its session ends, and no log names it"
        )
        func story() async throws {
            try await FakeWebPush.run { pushes in
                let temporary = try TemporaryFolder()
                defer { withExtendedLifetime(temporary) {} }
                var settings = ["push.kind": "web", "log.level": "trace"]
                settings.merge(try pushes.settings(in: temporary.url)) { $1 }
                try await Service.run(on: .filesystem, settings) { service in
                    try await BrowserStory(service: service, pushes: pushes).tell()
                }
            }
        }
    }
}

private struct BrowserStory {
    let service: Service
    let pushes: FakeWebPush
    let browser = FakeBrowser(language: "de")

    func tell() async throws {
        let ada = try await Person.signIn("Xanthippe", "+14155550101", to: service)
        let bob = try await Person.signIn("Zebulon", "+14155550102", to: service)
        try await register(bob)
        let group = try await join(bob, by: ada)
        let reply = try await ada.send(
            Pictures.png(width: 64, height: 64), to: group, key: "one", type: "image/png")
        #expect(reply.status == 201)
        try await hear(of: group)

        let logout = RefreshRequest(refreshToken: bob.tokens.refreshToken)
        #expect(try await bob.post("/v1/auth/logout", logout).status == 204)
        let devices = try await service.database.client.query("SELECT token FROM devices")
        #expect(devices.isEmpty)
        #expect(pushes.record.violations == [])
        for secret in [browser.endpoint, browser.p256dh, browser.auth, "Breakfast"] {
            #expect(!service.log.contains(secret))
            for push in pushes.record.pushes { #expect(!push.text.contains(secret)) }
        }
        let doctor = try await service.run("doctor")
        #expect(doctor.output.contains("messages to browsers can be signed"), "\(doctor.output)")
    }

    private func register(_ bob: Person) async throws {
        let key = try await bob.get("/v1/push/web-key")
        #expect(key.member("key") == FakeWebPush.publicKey)
        let registration = DeviceRegistration(
            platform: "web",
            subscription: .init(
                endpoint: browser.endpoint, keys: .init(p256dh: browser.p256dh, auth: browser.auth)),
            language: browser.language)
        #expect(try await bob.post("/v1/devices/register", registration).status == 204)
    }

    /// - Returns: the group.
    private func join(_ bob: Person, by ada: Person) async throws -> ResourceID {
        let created = try await ada.createGroup("Breakfast", inviting: [bob.number])
        let push = try #require(try await pushes.record.accepted(atLeast: 1).first)
        let shown = try shown(push)
        #expect(shown["body"] as? String == "Du bist in eine Gruppe eingeladen.")
        #expect(service.inbox.messages.allSatisfy { !$0.body.contains("invited") })
        let code = try #require(created.invitations.first?.code)
        #expect(try await bob.redeem(code).status == 200)
        return created.group.id
    }

    private func hear(of group: ResourceID) async throws {
        let push = try #require(try await pushes.record.accepted(atLeast: 2).last)
        let shown = try shown(push)
        #expect(shown["title"] as? String == "Breakfast")
        #expect(shown["body"] as? String == "Das erste Foto des Tages ist da.")
        #expect((shown["navigate"] as? String)?.hasSuffix("/g/\(group)") == true)
        #expect((shown["data"] as? [String: String])?["group_id"] == group.description)
    }

    private func shown(_ push: ReceivedPush) throws -> [String: Any] {
        try #require(try browser.read(push.body)["notification"] as? [String: Any])
    }
}
