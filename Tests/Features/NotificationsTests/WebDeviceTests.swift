import DailyPhotos
import DaylyTesting
import Foundation
import HTTPTesting
import HummingbirdTesting
import Push
import PushTesting
import Testing

@testable import Notifications

@Suite("Browsers as devices")
struct WebDeviceTests {
    private static func run(
        _ world: NotificationsWorld, webPushKey: String? = nil,
        _ body: @escaping @Sendable (any TestClientProtocol) async throws -> Void
    ) async throws {
        try await withClient(
            of: DeviceRoutes(devices: world.devices, webPushKey: webPushKey).routes,
            authenticator: try await Fixtures.authenticator(world.postgres)
        ) { try await body($0) }
    }

    private static func registration(
        endpoint: String, key: String, secret: String, language: String = "en"
    ) -> String {
        """
        {"platform": "web", "language": "\(language)", "subscription": {"endpoint": "\(endpoint)", \
        "expirationTime": null, "keys": {"p256dh": "\(key)", "auth": "\(secret)"}}}
        """
    }

    private static func registration(_ browser: FakeBrowser) -> String {
        registration(
            endpoint: browser.endpoint, key: browser.p256dh, secret: browser.auth, language: browser.language)
    }

    /// Guard: a browser that registers again keeps one row, with its newest keys (`DeviceStore.register`)
    @Test(
        "a browser registers by its subscription, keeps one row with its newest keys, and goes by its endpoint"
    )
    func register() async throws {
        try await NotificationsWorld.run { world in
            let ada = try await world.person(device: nil)
            let first = FakeBrowser()
            let second = FakeBrowser(endpoint: first.endpoint, language: "de")
            try await Self.run(world) { client in
                for browser in [first, second] {
                    let answer = try await client.call(
                        .post, "/v1/devices/register", Self.registration(browser), token: ada.token)
                    #expect(answer.status == 204)
                    #expect(try await world.tokens(of: ada) == [try browser.token().text])
                }
                let devices = try await world.devices.devices(of: ada.id, on: [.web])
                #expect(devices.map(\.token) == [try second.token()])
                let encoded = try #require(
                    first.endpoint.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
                let gone = try await client.call(.delete, "/v1/devices/\(encoded)", token: ada.token)
                #expect(gone.status == 204)
                #expect(try await world.tokens(of: ada) == [])
            }
        }
    }

    @Test("a part of a subscription that cannot be used is 400 with its pointer")
    func malformed() async throws {
        try await NotificationsWorld.run { world in
            let ada = try await world.person(device: nil)
            let good = FakeBrowser()
            let (url, key, secret) = (good.endpoint, good.p256dh, good.auth)
            let cases = [
                (#"{"platform": "web"}"#, "/subscription"),
                (#"{"platform": "web", "device_token": "x"}"#, "/subscription"),
                (#"{"platform": "ios"}"#, "/device_token"),
                (
                    Self.registration(endpoint: "https://evil.example/x", key: key, secret: secret),
                    "/subscription/endpoint"
                ),
                (Self.registration(endpoint: url, key: secret, secret: secret), "/subscription/keys/p256dh"),
                (Self.registration(endpoint: url, key: key, secret: key), "/subscription/keys/auth"),
                (Self.registration(endpoint: url, key: key, secret: secret, language: "d e"), "/language"),
            ]
            try await Self.run(world) { client in
                for (body, pointer) in cases {
                    let answer = try await client.call(.post, "/v1/devices/register", body, token: ada.token)
                    #expect(answer.status == 400 && answer.pointer == pointer, "\(answer)")
                }
            }
            #expect(try await world.tokens(of: ada) == [])
        }
    }

    @Test("the key for subscriptions is there if messages to browsers are configured, for signed-in callers")
    func key() async throws {
        try await NotificationsWorld.run { world in
            let ada = try await world.person(device: nil)
            try await Self.run(world) { client in
                let answer = try await client.call(.get, "/v1/push/web-key", token: ada.token)
                #expect(answer.status == 404)
            }
            try await Self.run(world, webPushKey: "BKey") { client in
                let answer = try await client.call(.get, "/v1/push/web-key", token: ada.token)
                #expect(answer.status == 200 && answer.member("key") == "BKey")
                #expect(try await client.call(.get, "/v1/push/web-key").status == 401)
            }
        }
    }

    @Test("a browser's message has the group's name as its title, in the browser's language")
    func texts() async throws {
        let text = WebNotificationText(
            publicURL: "https://dayly.example",
            notifications: NotificationsFeature.webNotifications
                .merging(DailyPhotosFeature.webNotifications) { $1 })
        func message(_ kind: String, name: String?) -> PushMessage {
            PushMessage(
                id: UUID(), collapseID: "c", threadID: "t", titleKey: "t", bodyKey: "b",
                data: ["kind": kind, "group_id": "g1"], expiresAt: Date(), name: name)
        }
        let photo = text(message("photo", name: "Family"), language: "de-AT")
        #expect(photo.title == "Family" && photo.language == "de")
        #expect(photo.body == "Das erste Foto des Tages ist da.")
        #expect(photo.url == "https://dayly.example/g/g1")
        let invitation = text(message("invitation", name: nil), language: "xx")
        #expect(invitation.title == "Dayly" && invitation.language == "en")
        #expect(invitation.url == "https://dayly.example/invites")
        #expect(text(message("test", name: nil), language: "en").url == "https://dayly.example/")
    }

    @Test("the message of a photo names its group, for gateways that encrypt")
    func groupName() async throws {
        try await NotificationsWorld.run { world in
            let ada = try await world.person()
            _ = try await world.person()
            try await world.photo(by: ada)
            try await world.work()
            let name = try await world.postgres.first("SELECT name FROM groups")?.get("name", as: String.self)
            #expect(world.ios.sent.map(\.message.name) == [name])
        }
    }
}
