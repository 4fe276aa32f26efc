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
        try await withGateway(relay: fake.url, now: now, body)
    }

    private static func withGateway(
        relay: String, now: @escaping @Sendable () -> Date = { Date() },
        _ body: @Sendable (WebPushGateway) async throws -> Void
    ) async throws {
        let gateway = try WebPushGateway(
            credentials: WebPushCredentials(
                pem: FakeWebPush.key.pemRepresentation, contact: FakeWebPush.contact),
            relay: relay, logger: .silent, now: now
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

    private static func message(name: String = "Family", reader: UUID? = nil) -> PushMessage {
        PushMessage(
            id: UUID(), collapseID: "photo.group.2026-11-21", threadID: "group", titleKey: "title",
            bodyKey: "body", data: ["kind": "photo"], expiresAt: Date().addingTimeInterval(3_600), name: name,
            reader: reader)
    }

    /// The outcomes of messages to as many devices, in order.
    private static func labels(
        _ gateway: WebPushGateway, _ tokens: [DeviceToken], reader: UUID? = nil
    ) async -> [String] {
        var labels: [String] = []
        for token in tokens { labels.append(await gateway.send(message(reader: reader), to: token).label) }
        return labels
    }

    /// A browser of Microsoft's at one of the service's hosts.
    private static func edge(_ host: String) -> FakeBrowser {
        FakeBrowser(endpoint: "https://\(host).notify.windows.com/w/?token=BQ%3d%3d")
    }

    /// Guard: messages to browsers are encrypted by RFC 8291 and signed by RFC 8292 (`WebPushEncryption`,
    /// `WebPushCredentials`)
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

    /// Guard: messages to browsers are encrypted by RFC 8291 and signed by RFC 8292 (`WebPushEncryption`,
    /// `WebPushCredentials`)
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

    /// Guard: an endpoint has the path that its push service gives to browsers (`WebPushService`)
    /// Guard: the service calls no other host than a known push service's (`WebPushEndpoint`)
    @Test(
        "an endpoint that is not an https URL of a known push service is refused",
        arguments: [
            "http://fcm.googleapis.com/wp/x", "https://fcm.googleapis.com", "https://fcm.googleapis.com/",
            "https://fcm.googleapis.com:8443/wp/x", "https://fcm.googleapis.com:443:443/wp/x",
            "https://user@fcm.googleapis.com/wp/x", "https://evil.example/x.googleapis.com/wp/x",
            "https://evil.example/fcm.googleapis.com/wp/x", "https://evil.example#@fcm.googleapis.com/wp/x",
            "https://evil.example\\@fcm.googleapis.com/wp/x", "https://evil.example?fcm.googleapis.com/wp/x",
            "https://fcm.googleapis.com.evil.example/wp/x", "https://evilfcm.googleapis.com/wp/x",
            "https://127.0.0.1/wp/x", "https://[::1]/wp/x", "https://localhost/wp/x",
            "https://FCM.googleapis.com/wp/x", "https://notify.windows.com.evil.example/w/?token=x",
            "https://.notify.windows.com@evil.example/w/?token=x",
            "https://fcm.googleapis.com/wp/a b", "https://fcm.googleapis.com/wp/a\r\nHost: evil",
            "//fcm.googleapis.com/wp/x",
            "https:/fcm.googleapis.com/wp/x", "https://fcm.googleapis.com/wp/\u{e9}", "",
            "https://fcm.googleapis.com/wp/" + String(repeating: "x", count: 2_048),
            // Other hosts and other interfaces of the same services.
            "https://nosuch.web.push.apple.com/Q", "https://x.fcm.googleapis.com/wp/x",
            "https://fcm.googleapis.com/v1/projects/x/messages:send", "https://fcm.googleapis.com/wp/",
            "https://fcm.googleapis.com/x/wp/x", "https://updates.push.services.mozilla.com/v1/x",
            "https://notify.windows.com/w/?token=x", "https://.notify.windows.com/w/?token=x",
            "https://a.b.notify.windows.com/w/?token=x", "https://-.notify.windows.com/w/?token=x",
            "https://db5.notify.windows.com/x", "https://db5.notify.windows.com/w/?token=",
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
            ("https://fcm.googleapis.com/wp/c-abc:APA91b_x~1", "https://fcm.googleapis.com"),
        ])
    func endpoints(_ text: String, _ origin: String) throws {
        let endpoint = try #require(WebPushEndpoint(text))
        #expect(endpoint.origin == origin)
        #expect(endpoint.url == text.replacing(":443/", with: "/"))
    }

    /// Guard: a browser's key is a point of the curve (`WebPushSubscription`)
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
            (401, "", "doubtful"), (429, "", "throttled"), (500, "", "unavailable"),
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

    /// Guard: push services of browsers have lanes of their own (`WebPushGateway`)
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

    /// Guard: one account's devices are one opinion about our credentials, and no doubt about them pauses a
    /// lane (`PushLaneState.judged`, `PushLaneState.leave`)
    @Test(
        "subscriptions of one account that are refused stop nobody else's messages, and go once the key is proven",
        arguments: [401, 403])
    func foreignSubscriptions(_ status: Int) async throws {
        let (mallory, good) = (UUID(), try FakeBrowser().token())
        let bad = try (1...20).map {
            try FakeBrowser(endpoint: "https://fcm.googleapis.com/wp/bad\($0)").token()
        }
        try await FakeWebPush.run { fake in
            fake.record.answer { $0.token.contains("/bad") ? .refuse(status, reason: "") : .accept }
            try await Self.withGateway(fake) { gateway in
                #expect(await Set(Self.labels(gateway, bad, reader: mallory)) == ["doubtful"])
                #expect(await gateway.send(Self.message(), to: good) == .accepted)
                #expect(await Set(Self.labels(gateway, bad, reader: mallory)) == ["unregistered"])
                #expect(await gateway.send(Self.message(), to: good) == .accepted)
            }
        }
    }

    /// Guard: one account's devices are one opinion about our credentials, and no doubt about them pauses a
    /// lane (`PushLaneState.judged`, `PushLaneState.leave`)
    @Test(
        "after a change of the key, subscriptions under the old one are reported, and new ones work at once")
    func changedKey() async throws {
        let old = try (1...12).map {
            try FakeBrowser(endpoint: "https://fcm.googleapis.com/wp/old\($0)").token()
        }
        let new = try FakeBrowser().token()
        try await FakeWebPush.run { fake in
            fake.record.answer { $0.token.contains("/old") ? .refuse(401, reason: "") : .accept }
            try await Self.withGateway(fake) { gateway in
                let labels = await Self.labels(gateway, old)
                #expect(
                    labels == Array(repeating: "doubtful", count: 9)
                        + Array(repeating: "misconfigured", count: 3))
                #expect(await gateway.send(Self.message(), to: new) == .accepted)
                #expect(await Self.labels(gateway, [old[0]]) == ["unregistered"])
            }
        }
    }

    /// Guard: a host of Microsoft's that nobody has been reached at fails alone (`WebPushGateway.send`,
    /// `WebPushSender.aboutHost`)
    @Test("a host that somebody has made up, and that fails, stops no message to its service's other hosts")
    func inventedHosts() async throws {
        let invented = try (1...20).map { try Self.edge("nosuch\($0)").token() }
        let real = try Self.edge("wns2-par02p").token()
        try await FakeWebPush.run { fake in
            fake.record.answer { push in
                FakeWebPush.audience(of: push).contains("nosuch")
                    ? .refuse(503, reason: "", retryAfter: "3600") : .accept
            }
            try await Self.withGateway(fake) { gateway in
                #expect(await Set(Self.labels(gateway, invented)) == ["throttled"])
                #expect(gateway.openPlaces(in: "web:microsoft") == 32)
                #expect(await gateway.send(Self.message(), to: real) == .accepted)
                // A host that has accepted a message stands for its service.
                fake.record.answer { _ in .refuse(503, reason: "") }
                #expect(await Set(Self.labels(gateway, Array(repeating: real, count: 5))) == ["unavailable"])
                #expect(gateway.openPlaces(in: "web:microsoft") == 0)
            }
        }
    }

    /// Guard: a host of Microsoft's that nobody has been reached at fails alone (`WebPushGateway.send`,
    /// `WebPushSender.aboutHost`)
    @Test("a host that cannot be reached is its device's fault, unless it is the only one of its service")
    func unreachableHosts() async throws {
        let (edge, chrome) = (try Self.edge("nosuch").token(), try FakeBrowser().token())
        // Nothing listens there.
        try await Self.withGateway(relay: "http://127.0.0.1:1") { gateway in
            let labels = await Self.labels(gateway, Array(repeating: edge, count: 6))
            #expect(Set(labels) == ["throttled"])
            let others = await Self.labels(gateway, Array(repeating: chrome, count: 6))
            #expect(others == Array(repeating: "unavailable", count: 5) + ["postponed"])
        }
    }

    /// Guard: each push service of browsers has a lane of its own in the outbox (`DeviceStore.lanesSQL`,
    /// `WebPushGateway.openPlaces`, `NotificationService.lanes`)
    @Test("each push service has places of its own")
    func places() async throws {
        let chrome = try FakeBrowser().token()
        try await FakeWebPush.run { fake in
            fake.record.answer { _ in .refuse(503, reason: "") }
            try await Self.withGateway(fake) { gateway in
                #expect(PushPlatform.web.lanes.map { gateway.openPlaces(in: $0) } == [32, 32, 32, 32])
                _ = await Self.labels(gateway, Array(repeating: chrome, count: 5))
                #expect(chrome.lane == "web:google" && gateway.openPlaces(in: chrome.lane) == 0)
                #expect(gateway.openPlaces(in: "web:mozilla") == 32)
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
