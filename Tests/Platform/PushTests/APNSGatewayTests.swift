import Foundation
import Synchronization
import Testing

@testable import Push
@testable import PushTesting

@Suite("APNs")
struct APNSGatewayTests {
    @Test("a message goes out over HTTP/2 with everything that Apple looks at, and nothing else")
    func message() async throws {
        let token = try #require(Fixture.iPhone)
        try await FakeAPNS.run { apns in
            try await Fixture.withGateway(apns) { gateway in
                let sent = Fixture.message(data: ["group_id": "g1", "kind": "photo"])
                #expect(await gateway.send(sent, to: token) == .accepted)
                #expect(await gateway.send(Fixture.message(urgency: .relaxed), to: token) == .accepted)
                #expect(apns.record.violations == [])
                let pushes = apns.record.accepted
                let first = try #require(pushes.first)
                #expect(first.token == token.text)
                #expect(first.headers["apns-id"] == sent.id.uuidString.lowercased())
                #expect(first.headers["apns-collapse-id"] == sent.collapseID)
                #expect(first.headers["apns-expiration"] == "\(Int(sent.expiresAt.timeIntervalSince1970))")
                #expect(pushes.map { $0.headers["apns-priority"] } == ["10", "5"])
                #expect(
                    first.text == """
                        {"aps":{"alert":{"loc-key":"push_photo_body","title-loc-key":"push_photo_title"},\
                        "mutable-content":1,"sound":"default","thread-id":"group"},"group_id":"g1","kind":"photo"}
                        """)
            }
        }
    }

    /// Guard: that message shows nothing by itself (`APNSGateway.payload`, `FCMGateway.body`,
    /// `WebPushPayload` (`isSilent`))
    @Test("a silent message wakes the app and shows nothing")
    func silent() async throws {
        let token = try #require(Fixture.iPhone)
        try await FakeAPNS.run { apns in
            try await Fixture.withGateway(apns) { gateway in
                let sent = Fixture.message(data: ["kind": "signed_out"], isSilent: true)
                #expect(await gateway.send(sent, to: token) == .accepted)
                #expect(apns.record.violations == [])
                let push = try #require(apns.record.accepted.first)
                #expect(push.headers["apns-push-type"] == "background")
                #expect(push.text == #"{"aps":{"content-available":1},"kind":"signed_out"}"#)
            }
        }
    }

    /// Guard: an APNs provider token is shared, renewed in time, and at once when it is refused
    /// (`RenewableToken`, `APNSGateway.send`)
    @Test("one provider token serves everybody, and is renewed after 40 minutes")
    func sharedToken() async throws {
        let token = try #require(Fixture.iPhone)
        let late = Mutex(TimeInterval(0))
        try await FakeAPNS.run { apns in
            // The clock starts half an hour ago, because the fake's clock stands still.
            try await Fixture.withGateway(apns) {
                Date().addingTimeInterval(late.withLock { $0 } - 2_500)
            } _: { gateway in
                func tokens(after seconds: TimeInterval) async -> Set<String?> {
                    late.withLock { $0 = seconds }
                    let before = apns.record.pushes.count
                    await withTaskGroup(of: Void.self) { group in
                        for _ in 0..<20 {
                            group.addTask { _ = await gateway.send(Fixture.message(), to: token) }
                        }
                    }
                    return Set(apns.record.pushes.dropFirst(before).map { $0.headers["authorization"] })
                }
                let (first, later, renewed) = (
                    await tokens(after: 0), await tokens(after: 2_390), await tokens(after: 2_410)
                )
                #expect(first.count == 1 && later == first)
                #expect(renewed.count == 1 && renewed != first)
                #expect(apns.record.violations == [])
            }
        }
    }

    /// Guard: an APNs provider token is shared, renewed in time, and at once when it is refused
    /// (`RenewableToken`, `APNSGateway.send`)
    @Test(
        "a token that Apple finds too old is renewed at once, by one of many, and the message goes out")
    func expired() async throws {
        let token = try #require(Fixture.iPhone)
        let refused = Mutex<String?>(nil)
        try await FakeAPNS.run { apns in
            apns.record.answer { push in
                let authorization = push.headers["authorization"]
                let isRefused = refused.withLock { refused in
                    if refused == nil { refused = authorization }
                    return refused == authorization
                }
                return isRefused ? .refuse(403, reason: "ExpiredProviderToken") : .accept
            }
            try await Fixture.withGateway(apns) { gateway in
                await withTaskGroup(of: Void.self) { group in
                    for _ in 0..<20 {
                        group.addTask {
                            #expect(await gateway.send(Fixture.message(), to: token) == .accepted)
                        }
                    }
                }
                #expect(Set(apns.record.accepted.map { $0.headers["authorization"] }).count == 1)
            }
        }
    }

    @Test("a token that is refused for ever is renewed once for each message, not again and again")
    func alwaysExpired() async throws {
        let token = try #require(Fixture.iPhone)
        try await FakeAPNS.run { apns in
            apns.record.answer { _ in .refuse(403, reason: "ExpiredProviderToken") }
            try await Fixture.withGateway(apns) { gateway in
                let outcome = await gateway.send(Fixture.message(), to: token)
                #expect(outcome == .misconfigured(reason: "ExpiredProviderToken"))
                #expect(apns.record.pushes.count == 2)
            }
        }
    }

    /// Guard: only words of our own lists are logged from a provider's answer (`PushTransport.reasonWord`)
    @Test("Apple's answers have the meaning that Apple documents")
    func answers() async throws {
        let token = try #require(Fixture.iPhone)
        let gone = Date(timeIntervalSince1970: 1_795_000_000)
        let cases: [(PushAnswer, PushOutcome)] = [
            (
                .refuse(410, reason: "Unregistered", timestamp: gone),
                .unregistered(since: gone, reason: "Unregistered")
            ),
            (.refuse(410, reason: "ExpiredToken"), .unregistered(since: nil, reason: "ExpiredToken")),
            (.refuse(400, reason: "BadDeviceToken"), .doubtful(reason: "BadDeviceToken")),
            (.refuse(400, reason: "DeviceTokenNotForTopic"), .doubtful(reason: "DeviceTokenNotForTopic")),
            (.refuse(400, reason: "BadTopic"), .misconfigured(reason: "BadTopic")),
            (.refuse(400, reason: "BadPriority"), .refused(reason: "BadPriority")),
            (
                .refuse(403, reason: "InvalidProviderToken"), .misconfigured(reason: "InvalidProviderToken")
            ),
            (.refuse(413, reason: "PayloadTooLarge"), .refused(reason: "PayloadTooLarge")),
            (
                .refuse(429, reason: "TooManyRequests", retryAfter: "7"),
                .throttled(after: .seconds(7), reason: "TooManyRequests")
            ),
            (
                .refuse(429, reason: "TooManyProviderTokenUpdates"),
                .unavailable(after: nil, reason: "TooManyProviderTokenUpdates")
            ),
            (
                .refuse(503, reason: "ServiceUnavailable", retryAfter: "11"),
                .unavailable(after: .seconds(11), reason: "ServiceUnavailable")
            ),
            (
                .refuse(500, reason: "InternalServerError"),
                .unavailable(after: nil, reason: "InternalServerError")
            ),
            (.refuse(302, reason: "Elsewhere"), .misconfigured(reason: "Elsewhere")),
            (
                .refuse(500, reason: "to +14155550123"), .unavailable(after: nil, reason: "HTTP status 500")
            ),
        ]
        try await FakeAPNS.run { apns in
            try await Fixture.withGateway(apns) { gateway in
                for (answer, outcome) in cases {
                    apns.record.answer { _ in answer }
                    #expect(await gateway.send(Fixture.message(), to: token) == outcome)
                }
                #expect(apns.record.violations == [])
            }
        }
    }

    @Test("a provider that hangs or closes the connection is unavailable, within the timeout")
    func silence() async throws {
        let token = try #require(Fixture.iPhone)
        try await FakeAPNS.run { apns in
            try await Fixture.withGateway(apns, timeout: .seconds(2)) { gateway in
                for answer in [PushAnswer.hang, .close] {
                    apns.record.answer { _ in answer }
                    let began = ContinuousClock.now
                    let outcome = await gateway.send(Fixture.message(), to: token)
                    #expect(outcome.label == "unavailable", "\(outcome)")
                    #expect(ContinuousClock.now - began < .seconds(20))
                }
                apns.record.answer { _ in .accept }
                let outcomes = await Fixture.outcomes(of: 3) {
                    await gateway.send(Fixture.message(), to: token)
                }
                #expect(outcomes.contains(.accepted), "and then goes on: \(outcomes)")
            }
        }
    }

    @Test("a connection that answers nothing any more is given up")
    func deadConnection() async throws {
        let token = try #require(Fixture.iPhone)
        try await FakeAPNS.run { apns in
            try await Fixture.withGateway(apns, timeout: .seconds(2)) { gateway in
                _ = await Fixture.outcomes(of: 2) { await gateway.send(Fixture.message(), to: token) }
                let first = try #require(apns.record.accepted.last?.connection)
                apns.record.answer { $0.connection == first ? .hang : .accept }
                let outcomes = await Fixture.outcomes(of: 5) {
                    await gateway.send(Fixture.message(), to: token)
                }
                #expect(outcomes.contains(.accepted), "\(outcomes)")
            }
        }
    }

    @Test("a message too large for Apple is not sent")
    func tooLarge() async throws {
        let token = try #require(Fixture.iPhone)
        try await FakeAPNS.run { apns in
            try await Fixture.withGateway(apns) { gateway in
                let large = Fixture.message(data: ["x": String(repeating: "x", count: 4_000)])
                #expect(await gateway.send(large, to: token).label == "refused")
                let long = Fixture.message(collapseID: String(repeating: "c", count: 65))
                #expect(await gateway.send(long, to: token).label == "refused")
                let fitting = Fixture.message(collapseID: String(repeating: "c", count: 64))
                #expect(await gateway.send(fitting, to: token) == .accepted)
                #expect(apns.record.pushes.count == 1)
            }
        }
    }

    /// Guard: APNs is HTTP/2 (`APNSGateway`)
    @Test("a server without HTTP/2 or with an untrusted certificate is not APNs")
    func strangers() async throws {
        let token = try #require(Fixture.iPhone)
        try await FakeFCM.run { plain in
            let transport = try PushTransport()
            let gateway = try APNSGateway(
                .init(
                    url: plain.url, teamID: FakeAPNS.teamID, keyID: FakeAPNS.keyID,
                    key: FakeAPNS.key.pemRepresentation, topic: FakeAPNS.topic), transport: transport)
            let outcome = await gateway.send(Fixture.message(), to: token)
            try await transport.shutdown()
            #expect(outcome == .misconfigured(reason: "no HTTP/2 spoken there"))
        }
        try await FakeAPNS.run { apns in
            let transport = try PushTransport()
            let gateway = try APNSGateway(
                .init(
                    url: apns.url, teamID: FakeAPNS.teamID, keyID: FakeAPNS.keyID,
                    key: FakeAPNS.key.pemRepresentation, topic: FakeAPNS.topic), transport: transport)
            let outcome = await gateway.send(Fixture.message(), to: token)
            try await transport.shutdown()
            #expect(outcome.label == "unavailable", "\(outcome)")
            #expect(apns.record.pushes.isEmpty)
        }
    }

    @Test("another key, or a key that is none, is noticed")
    func keys() async throws {
        let token = try #require(Fixture.iPhone)
        try await FakeAPNS.run { apns in
            try await Fixture.withGateway(apns, keyID: "OTHERKEY01") { gateway in
                #expect(await gateway.send(Fixture.message(), to: token).label == "misconfigured")
            }
        }
        #expect(throws: PushKeyUnreadable.self) {
            _ = try APNSGateway(
                APNSGateway.Configuration(
                    url: "https://localhost", teamID: "T", keyID: "K", key: "no key", topic: "t"),
                transport: try PushTransport())
        }
    }
}
