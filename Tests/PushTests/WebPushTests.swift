import Crypto
import DaylyTesting
import Foundation
import Logging
import Testing

@testable import Push
@testable import PushTesting

@Suite("Web push")
struct WebPushTests {
    private static func withGateway(
        _ fake: FakeWebPush, now: @escaping @Sendable () -> Date = { Date() },
        _ body: @Sendable (WebPushGateway) async throws -> Void
    ) async throws {
        let gateway = try WebPushGateway(
            credentials: WebPushCredentials(
                pem: FakeWebPush.key.pemRepresentation, contact: FakeWebPush.contact),
            relay: fake.url, logger: .silent, now: now
        ) { message, language in
            WebPushText(
                title: message.name ?? "-", body: message.bodyKey, language: language,
                url: "https://dayly.example/g/1")
        }
        do { try await body(gateway) } catch {
            try? await gateway.shutdown()
            throw error
        }
        try await gateway.shutdown()
    }

    private static func message(name: String = "Family") -> PushMessage {
        PushMessage(
            id: UUID(), collapseID: "photo.group.2026-11-21", threadID: "group", titleKey: "title",
            bodyKey: "body", data: ["kind": "photo"], expiresAt: Date().addingTimeInterval(3_600), name: name)
    }

    @Test("a message is encrypted as in the example of RFC 8291")
    func rfc8291() throws {
        let sender = try #require(Base64URLText.decode("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"))
        let salt = try #require(Base64URLText.decode("DGv6ra1nlYgDCS1FRnbzlw"))
        let subscription = try WebPushSubscription(
            endpoint: "https://updates.push.services.mozilla.com/wpush/v2/JzLQ3raZJfFBR0aqvOMsLrt54w4rJUsV",
            key: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
            secret: "BTBZMqHH6r4Tts7J_aSIgg", language: "en")
        let body = try WebPushEncryption.body(
            Data("When I grow up, I want to be a watermelon".utf8), for: subscription,
            sender: .init(rawRepresentation: sender), salt: salt)
        #expect(
            Base64URLText.encode(body) == """
                DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_\
                yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN
                """)
    }

    @Test("a message goes out signed and encrypted, and only its browser can read it")
    func message() async throws {
        let browser = FakeBrowser(language: "de")
        let token = try browser.token()
        try await FakeWebPush.run { fake in
            try await Self.withGateway(fake) { gateway in
                #expect(await gateway.send(Self.message(), to: token) == .accepted)
                #expect(await gateway.send(Self.message(), to: token) == .accepted)
            }
            #expect(fake.record.violations == [])
            let pushes = fake.record.accepted
            let push = try #require(pushes.first)
            #expect("https://fcm.googleapis.com" + push.token == browser.endpoint)
            #expect(push.headers["urgency"] == "high")
            #expect(push.headers["ttl"].flatMap { Int($0) }.map { (3_590...3_600).contains($0) } == true)
            let json = try browser.read(push.body)
            #expect(json["web_push"] as? Int == 8030)
            let shown = try #require(json["notification"] as? [String: Any])
            #expect(shown["title"] as? String == "Family" && shown["lang"] as? String == "de")
            #expect(shown["navigate"] as? String == "https://dayly.example/g/1")
            #expect(shown["tag"] as? String == "photo.group.2026-11-21")
            #expect(!push.text.contains("Family"))
            #expect(throws: (any Error).self) { try FakeBrowser().read(push.body) }
            // No two messages have the same keys.
            #expect(pushes[0].body.prefix(86) != pushes[1].body.prefix(86))
            #expect(pushes[0].headers["authorization"] == pushes[1].headers["authorization"])
            #expect(pushes[0].headers["topic"] == pushes[1].headers["topic"])
        }
    }

    @Test(
        "an endpoint that is not an https URL of a known push service is refused",
        arguments: [
            "http://fcm.googleapis.com/x", "https://fcm.googleapis.com", "https://fcm.googleapis.com/",
            "https://fcm.googleapis.com:8443/x", "https://fcm.googleapis.com:443:443/x",
            "https://user@fcm.googleapis.com/x", "https://evil.example/x.googleapis.com/",
            "https://evil.example/fcm.googleapis.com/", "https://evil.example#@fcm.googleapis.com/x",
            "https://evil.example\\@fcm.googleapis.com/x", "https://evil.example?fcm.googleapis.com/x",
            "https://fcm.googleapis.com.evil.example/x", "https://evilfcm.googleapis.com/x",
            "https://127.0.0.1/x", "https://[::1]/x", "https://localhost/x", "https://FCM.googleapis.com/x",
            "https://notify.windows.com.evil.example/x", "https://.notify.windows.com@evil.example/x",
            "https://fcm.googleapis.com/a b", "https://fcm.googleapis.com/a\r\nHost: evil",
            "//fcm.googleapis.com/x",
            "https:/fcm.googleapis.com/x", "https://fcm.googleapis.com/\u{e9}", "",
            "https://fcm.googleapis.com/" + String(repeating: "x", count: 2_048),
        ])
    func foreignEndpoints(_ text: String) {
        #expect(WebPushEndpoint(text) == nil)
    }

    @Test(
        "the endpoints of all browsers are taken",
        arguments: [
            ("https://fcm.googleapis.com/fcm/send/c-abc:APA91b_x~1", "https://fcm.googleapis.com"),
            (
                "https://updates.push.services.mozilla.com/wpush/v2/gAAAA==",
                "https://updates.push.services.mozilla.com"
            ),
            ("https://web.push.apple.com/QABC-d_e", "https://web.push.apple.com"),
            (
                "https://wns2-par02p.notify.windows.com/w/?token=BQ%3d%3d",
                "https://wns2-par02p.notify.windows.com"
            ),
            ("https://web.push.apple.com:443/Q", "https://web.push.apple.com"),
        ])
    func endpoints(_ text: String, _ origin: String) throws {
        let endpoint = try #require(WebPushEndpoint(text))
        #expect(endpoint.origin == origin)
        #expect(endpoint.url == text.replacing(":443/", with: "/"))
    }

    @Test("keys that no browser has are refused")
    func malformedKeys() throws {
        let browser = FakeBrowser()
        func fault(key: String? = nil, secret: String? = nil, language: String = "en") -> WebPushSubscription
            .Fault?
        {
            do {
                _ = try WebPushSubscription(
                    endpoint: browser.endpoint, key: key ?? browser.p256dh, secret: secret ?? browser.auth,
                    language: language)
                return nil
            } catch { return error }
        }
        #expect(fault() == nil)
        #expect(fault(key: browser.p256dh + "=", secret: browser.auth + "==") == nil)
        var offCurve = Array(browser.key.publicKey.x963Representation)
        offCurve[64] ^= 1
        let compressed = browser.key.publicKey.compressedRepresentation
        for key in ["", "x", Base64URLText.encode(offCurve), Base64URLText.encode(compressed), "a+b/"] {
            #expect(fault(key: key) == .key, "\(key)")
        }
        for secret in ["", "AAAA", Base64URLText.encode([UInt8](repeating: 0, count: 17)), "!"] {
            #expect(fault(secret: secret) == .secret, "\(secret)")
        }
        for language in ["", "de de", "-", "toolonglanguage", "de\n"] {
            #expect(fault(language: language) == .language, "\(language)")
        }
        let token = try browser.token()
        #expect(DeviceToken(token.text, platform: .web)?.address == browser.endpoint)
        #expect(DeviceToken(token.text, platform: .android) == nil)
        #expect(DeviceToken(browser.endpoint, platform: .web) == nil)
    }

    @Test(
        "the answers of push services have their consequences",
        arguments: [
            (404, "", "unregistered"), (410, "", "unregistered"), (413, "", "refused"), (400, "", "refused"),
            (400, "VapidPkHashMismatch", "doubtful"), (403, "", "doubtful"),
            (403, "BadJwtToken", "misconfigured"),
            (401, "", "misconfigured"), (429, "", "throttled"), (500, "", "unavailable"),
            (503, "", "unavailable"),
        ])
    func answers(_ status: Int, _ reason: String, _ label: String) async throws {
        let token = try FakeBrowser().token()
        try await FakeWebPush.run { fake in
            fake.record.answer { _ in .refuse(status, reason: reason, retryAfter: "7") }
            try await Self.withGateway(fake) { gateway in
                let outcome = await gateway.send(Self.message(), to: token)
                #expect(outcome.label == label)
                if case .unavailable(let after, _) = outcome { #expect(after == .seconds(7)) }
            }
        }
    }

    @Test("a push service that fails does not hold up another one")
    func lanes() async throws {
        let (google, apple) = (FakeBrowser(), FakeBrowser(endpoint: "https://web.push.apple.com/Q1"))
        let tokens = (try google.token(), try apple.token())
        try await FakeWebPush.run { fake in
            fake.record.answer { push in push.token == "/Q1" ? .accept : .refuse(503, reason: "") }
            try await Self.withGateway(fake) { gateway in
                for _ in 0..<8 { _ = await gateway.send(Self.message(), to: tokens.0) }
                #expect(await gateway.send(Self.message(), to: tokens.0).label == "postponed")
                #expect(await gateway.send(Self.message(), to: tokens.1) == .accepted)
                #expect(gateway.openPlaces > 0)
            }
        }
    }

    @Test("a message that no push service would take is refused, not cut")
    func size() async throws {
        let token = try FakeBrowser().token()
        try await FakeWebPush.run { fake in
            try await Self.withGateway(fake) { gateway in
                let long = String(repeating: "x", count: 4_000)
                #expect(await gateway.send(Self.message(name: long), to: token).label == "refused")
                let fits = String(repeating: "x", count: 3_600)
                #expect(await gateway.send(Self.message(name: fits), to: token) == .accepted)
            }
            #expect(fake.record.violations == [])
        }
    }

    @Test("a signature is renewed long before it ends, and bound to its push service")
    func signatures() throws {
        let credentials = try WebPushCredentials(
            pem: FakeWebPush.key.pemRepresentation, contact: FakeWebPush.contact)
        let start = Date()
        let first = try credentials.authorization(for: "https://a.example", now: start)
        #expect(try credentials.authorization(for: "https://a.example", now: start + 21_000) == first)
        #expect(try credentials.authorization(for: "https://a.example", now: start + 21_700) != first)
        #expect(try credentials.authorization(for: "https://b.example", now: start) != first)
        #expect(throws: PushKeyUnreadable.self) { try WebPushCredentials(pem: "nonsense", contact: "") }
    }
}
