import Foundation
import Synchronization
import Testing

@testable import Push
@testable import PushTesting

@Suite("FCM")
struct FCMGatewayTests {
    @Test("a message goes out with everything that FCM looks at, and nothing else")
    func message() async throws {
        let token = try #require(Fixture.pixel)
        try await FakeFCM.run { fcm in
            try await Fixture.withGateway(fcm) { gateway in
                let sent = Fixture.message(data: ["group_id": "g1"], expiresIn: 172_800, urgency: .relaxed)
                #expect(await gateway.send(sent, to: token) == .accepted)
                #expect(await gateway.send(Fixture.message(expiresIn: -5), to: token) == .accepted)
                #expect(await gateway.send(Fixture.message(expiresIn: 1e8), to: token) == .accepted)
                #expect(fcm.record.violations == [])
                let pushes = fcm.record.accepted
                let text = try #require(pushes.first?.text.replacing(/"ttl":"1727[0-9]{2}s"/, with: "TTL"))
                #expect(
                    text == """
                        {"message":{"android":{"collapse_key":"photo.group.2026-11-21","notification":\
                        {"body_loc_key":"push_photo_body","sound":"default","tag":"photo.group.2026-11-21",\
                        "title_loc_key":"push_photo_title"},"priority":"NORMAL",TTL},"data":{"group_id":"g1"},\
                        "token":"dQw4w9WgXcQ:APA91b_test-token"}}
                        """)
                #expect(pushes[1].text.contains(#""priority":"HIGH","ttl":"0s""#))
                #expect(pushes[2].text.contains(#""ttl":"2419200s""#))
            }
        }
    }

    /// Guard: that message shows nothing by itself (`APNSGateway.payload`, `FCMGateway.body`,
    /// `WebPushPayload` (`isSilent`))
    @Test("a silent message has data alone, which the app gets and nobody sees")
    func silent() async throws {
        let token = try #require(Fixture.pixel)
        try await FakeFCM.run { fcm in
            try await Fixture.withGateway(fcm) { gateway in
                let sent = Fixture.message(data: ["kind": "signed_out"], isSilent: true)
                #expect(await gateway.send(sent, to: token) == .accepted)
                #expect(fcm.record.violations == [])
                let text = try #require(fcm.record.accepted.first?.text)
                #expect(text.contains(#""data":{"kind":"signed_out"}"#) && !text.contains("notification"))
            }
        }
    }

    /// Guard: an OAuth token is shared, renewed in time, and once when it is refused (`RenewableToken`,
    /// `FCMGateway.send`)
    @Test("one OAuth token serves everybody, and is renewed before its end")
    func sharedToken() async throws {
        let token = try #require(Fixture.pixel)
        let late = Mutex(TimeInterval(0))
        try await FakeFCM.run { fcm in
            try await Fixture.withGateway(fcm) {
                Date().addingTimeInterval(late.withLock { $0 })
            } _: { gateway in
                func sendTwenty() async {
                    await withTaskGroup(of: Void.self) { group in
                        for _ in 0..<20 {
                            group.addTask {
                                #expect(await gateway.send(Fixture.message(), to: token) == .accepted)
                            }
                        }
                    }
                }
                await sendTwenty()
                #expect(fcm.issuedTokens == 1)
                late.withLock { $0 = 3_200 }
                await sendTwenty()
                #expect(fcm.issuedTokens == 1)
            }
            // The gateway requests a new token five minutes before the old one expires: here after half a minute.
            fcm.setTokenLifetime(330)
            late.withLock { $0 = 0 }
            try await Fixture.withGateway(fcm) {
                Date().addingTimeInterval(late.withLock { $0 })
            } _: { gateway in
                #expect(await gateway.send(Fixture.message(), to: token) == .accepted)
                late.withLock { $0 = 31 }
                #expect(await gateway.send(Fixture.message(), to: token) == .accepted)
                #expect(fcm.issuedTokens == 3)
            }
            #expect(fcm.record.violations == [])
        }
    }

    /// Guard: an OAuth token is shared, renewed in time, and once when it is refused (`RenewableToken`,
    /// `FCMGateway.send`)
    @Test("a token that Google takes no more is renewed once, and the message goes out")
    func revoked() async throws {
        let token = try #require(Fixture.pixel)
        try await FakeFCM.run { fcm in
            try await Fixture.withGateway(fcm) { gateway in
                #expect(await gateway.send(Fixture.message(), to: token) == .accepted)
                fcm.revokeTokens()
                #expect(await gateway.send(Fixture.message(), to: token) == .accepted)
                #expect(fcm.issuedTokens == 2)
                fcm.record.answer { _ in .refuse(401, reason: "UNAUTHENTICATED") }
                #expect(
                    await gateway.send(Fixture.message(), to: token)
                        == .misconfigured(reason: "UNAUTHENTICATED"))
                #expect(fcm.issuedTokens == 3)
            }
        }
    }

    @Test("without a token nothing is sent: refused by Google, or Google cannot be asked")
    func noToken() async throws {
        let token = try #require(Fixture.pixel)
        try await FakeFCM.run { fcm in
            try await Fixture.withGateway(fcm) { gateway in
                fcm.refuseTokens(400, "invalid_grant")
                #expect(
                    await gateway.send(Fixture.message(), to: token)
                        == .misconfigured(reason: "OAuth: invalid_grant"))
                fcm.refuseTokens(503, "busy")
                #expect(await gateway.send(Fixture.message(), to: token).label == "unavailable")
                #expect(fcm.record.pushes.isEmpty)
            }
        }
    }

    @Test("FCM's answers have the meaning that Firebase documents")
    func answers() async throws {
        let token = try #require(Fixture.pixel)
        func code(_ name: String) -> String {
            #"[{"@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError", "errorCode": "\#(name)"}]"#
        }
        func field(_ name: String) -> String { #"[{"fieldViolations": [{"field": "\#(name)"}]}]"# }
        let cases: [(PushAnswer, PushOutcome)] = [
            (
                .refuse(404, reason: "NOT_FOUND", details: code("UNREGISTERED")),
                .unregistered(since: nil, reason: "UNREGISTERED")
            ),
            (.refuse(404, reason: "NOT_FOUND"), .doubtful(reason: "NOT_FOUND")),
            (
                .refuse(403, reason: "PERMISSION_DENIED", details: code("SENDER_ID_MISMATCH")),
                .doubtful(reason: "SENDER_ID_MISMATCH")
            ),
            (
                .refuse(400, reason: "INVALID_ARGUMENT", details: field("message.token")),
                .doubtful(reason: "INVALID_ARGUMENT")
            ),
            (
                .refuse(400, reason: "INVALID_ARGUMENT", details: field("message.android.ttl")),
                .refused(reason: "INVALID_ARGUMENT")
            ),
            (.refuse(400, reason: "INVALID_ARGUMENT"), .refused(reason: "INVALID_ARGUMENT")),
            (.refuse(403, reason: "PERMISSION_DENIED"), .misconfigured(reason: "PERMISSION_DENIED")),
            (
                .refuse(
                    429, reason: "RESOURCE_EXHAUSTED", retryAfter: "9", details: code("QUOTA_EXCEEDED")),
                .unavailable(after: .seconds(9), reason: "QUOTA_EXCEEDED")
            ),
            (.refuse(503, reason: "UNAVAILABLE"), .unavailable(after: nil, reason: "UNAVAILABLE")),
            (.refuse(307, reason: "Elsewhere"), .misconfigured(reason: "Elsewhere")),
        ]
        try await FakeFCM.run { fcm in
            try await Fixture.withGateway(fcm) { gateway in
                for (answer, outcome) in cases {
                    fcm.record.answer { _ in answer }
                    #expect(await gateway.send(Fixture.message(), to: token) == outcome)
                }
            }
        }
    }

    @Test("a provider that hangs or closes the connection is unavailable, within the timeout")
    func silence() async throws {
        let token = try #require(Fixture.pixel)
        try await FakeFCM.run { fcm in
            try await Fixture.withGateway(fcm, timeout: .seconds(2)) { gateway in
                for answer in [PushAnswer.hang, .close] {
                    fcm.record.answer { _ in answer }
                    #expect(await gateway.send(Fixture.message(), to: token).label == "unavailable")
                }
                fcm.record.answer { _ in .accept }
                let outcomes = await Fixture.outcomes(of: 3) {
                    await gateway.send(Fixture.message(), to: token)
                }
                #expect(outcomes.contains(.accepted), "and then goes on: \(outcomes)")
            }
        }
    }
}
