import DaylyTesting
import Foundation
import Logging
import PushTesting
import Synchronization
import Testing

@testable import Push

@Suite("A provider's lane")
struct PushLaneTests {
    /// Guard: a provider has bounded places and pauses after failures (`PushLane`, `Breaker.state`)
    @Test("a message that finds no place is postponed at once, so that a provider that hangs delays no other")
    func places() async throws {
        let token = try #require(Fixture.iPhone)
        let gateway = RecordingPushGateway()
        gateway.answer { _, _ in
            try? await Task.sleep(for: .seconds(60))
            return .accepted
        }
        var limits = PushLane.Limits()
        limits.maxConcurrent = 3
        let lane = PushLane(gateway, limits: limits, logger: .silent)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<3 { group.addTask { _ = await lane.send(Fixture.message(), to: token) } }
            while gateway.sent.count < 3 { await Task.yield() }
            #expect(await lane.send(Fixture.message(), to: token).label == "postponed")
            #expect(gateway.sent.count == 3)
            group.cancelAll()
        }
    }

    /// Guard: a provider has bounded places and pauses after failures (`PushLane`, `Breaker.state`)
    @Test(
        "after failures in a row the provider is left alone; then one message goes ahead, and the others follow"
    )
    func rest() async throws {
        let token = try #require(Fixture.iPhone)
        let gateway = RecordingPushGateway()
        gateway.answer { _, _ in .unavailable(after: nil, reason: "down") }
        var limits = PushLane.Limits()
        limits.failures = 3
        limits.pause = .seconds(1)
        let lane = PushLane(gateway, limits: limits, logger: .silent)
        for _ in 0..<10 { _ = await lane.send(Fixture.message(), to: token) }
        #expect(gateway.sent.count == 3)
        try await Task.sleep(for: .milliseconds(1_100))
        for _ in 0..<10 { _ = await lane.send(Fixture.message(), to: token) }
        #expect(gateway.sent.count == 4, "one, which failed")
        gateway.answer { _, _ in .accepted }
        try await Task.sleep(for: .milliseconds(1_100))
        for _ in 0..<10 { #expect(await lane.send(Fixture.message(), to: token) == .accepted) }
    }

    /// Guard: a provider has bounded places and pauses after failures (`PushLane`, `Breaker.state`)
    @Test("a provider gets no messages for as long as it asks, and at once after wrong credentials")
    func asked() async throws {
        let token = try #require(Fixture.iPhone)
        for outcome in [
            PushOutcome.unavailable(after: .seconds(30), reason: "busy"), .misconfigured(reason: "key"),
        ] {
            let gateway = RecordingPushGateway()
            gateway.answer { _, _ in outcome }
            let lane = PushLane(gateway, logger: .silent)
            #expect(await lane.send(Fixture.message(), to: token) == outcome)
            guard case .postponed(let wait) = await lane.send(Fixture.message(), to: token) else {
                Issue.record("it was asked again")
                continue
            }
            #expect(wait > .seconds(20))
            #expect(gateway.sent.count == 1)
        }
    }

    @Test("the lane's places are none during a pause, then one, then all")
    func openPlaces() async throws {
        let token = try #require(Fixture.iPhone)
        let gateway = RecordingPushGateway()
        var limits = PushLane.Limits()
        limits.failures = 1
        limits.pause = .seconds(1)
        let lane = PushLane(gateway, limits: limits, logger: .silent)
        #expect(lane.openPlaces == 32)
        gateway.answer { _, _ in .unavailable(after: nil, reason: "down") }
        _ = await lane.send(Fixture.message(), to: token)
        #expect(lane.openPlaces == 0)
        try await Task.sleep(for: .milliseconds(1_100))
        #expect(lane.openPlaces == 1)
        gateway.answer { _, _ in .accepted }
        _ = await lane.send(Fixture.message(), to: token)
        #expect(lane.openPlaces == 32)
    }

    /// Guard: push credentials of another project delete no device (`PushLaneState.judged`)
    @Test(
        "many people's unknown devices one after the other are wrong credentials, which delete no device and stop nobody"
    )
    func wrongCredentials() async throws {
        let token = try #require(Fixture.iPhone)
        let gateway = RecordingPushGateway()
        gateway.answer { _, _ in .doubtful(reason: "SENDER_ID_MISMATCH") }
        let lane = PushLane(gateway, logger: .silent)
        let outcomes = await Fixture.outcomes(of: 12) { await lane.send(Fixture.message(), to: token) }
        #expect(
            outcomes.map(\.label) == Array(repeating: "doubtful", count: 9)
                + Array(repeating: "misconfigured", count: 3))
        #expect(gateway.sent.count == 12)
        gateway.answer { _, _ in .accepted }
        #expect(await lane.send(Fixture.message(), to: token) == .accepted)
    }

    /// Guard: one account's devices are one opinion about our credentials, and no doubt about them pauses a
    /// lane (`PushLaneState.judged`, `PushLaneState.leave`)
    @Test("one account's unknown devices are never wrong credentials, however many it has")
    func oneAccount() async throws {
        let token = try #require(Fixture.iPhone)
        let gateway = RecordingPushGateway()
        gateway.answer { _, _ in .doubtful(reason: "BadDeviceToken") }
        let lane = PushLane(gateway, logger: .silent)
        let reader = UUID()
        let outcomes = await Fixture.outcomes(of: 40) {
            await lane.send(Fixture.message(reader: reader), to: token)
        }
        #expect(Set(outcomes.map(\.label)) == ["doubtful"])
    }

    /// Guard: push credentials of another project delete no device (`PushLaneState.judged`)
    @Test(
        "once the credentials have got a message accepted, a device that is unknown is gone; ten in a row are not"
    )
    func provenCredentials() async throws {
        let token = try #require(Fixture.iPhone)
        let gateway = RecordingPushGateway()
        let lane = PushLane(gateway, logger: .silent)
        func send(_ outcome: PushOutcome) async -> PushOutcome {
            gateway.answer { _, _ in outcome }
            return await lane.send(Fixture.message(), to: token)
        }
        let doubtful = PushOutcome.doubtful(reason: "BadDeviceToken")
        let gone = PushOutcome.unregistered(since: nil, reason: "BadDeviceToken")
        #expect(await send(doubtful) == doubtful)
        #expect(await send(.accepted) == .accepted)
        for _ in 1...9 { #expect(await send(doubtful) == gone) }
        #expect(await send(.accepted) == .accepted)
        for _ in 1...9 { #expect(await send(doubtful) == gone) }
        #expect(await send(doubtful) == .misconfigured(reason: "BadDeviceToken"))
    }

    @Test(
        "a wait for a connection of our own is neither a failure of the provider nor a success")
    func ownConnections() async throws {
        let token = try #require(Fixture.iPhone)
        let gateway = RecordingPushGateway()
        var limits = PushLane.Limits()
        limits.failures = 2
        let lane = PushLane(gateway, limits: limits, logger: .silent)
        for outcome in [
            PushOutcome.postponed(after: .seconds(1)), .unavailable(after: nil, reason: "down"),
            .postponed(after: .seconds(1)), .postponed(after: .seconds(1)),
        ] {
            gateway.answer { _, _ in outcome }
            #expect(await lane.send(Fixture.message(), to: token) == outcome)
        }
        #expect(lane.openPlaces == 32)
        gateway.answer { _, _ in .unavailable(after: nil, reason: "down") }
        _ = await lane.send(Fixture.message(), to: token)
        #expect(lane.openPlaces == 0)
    }

    @Test("an answer about one device is not a failure of the provider")
    func devices() async throws {
        let token = try #require(Fixture.iPhone)
        let gateway = RecordingPushGateway()
        let lane = PushLane(gateway, logger: .silent)
        for outcome in [
            PushOutcome.unregistered(since: nil, reason: "gone"),
            .throttled(after: .seconds(60), reason: "many"),
            .refused(reason: "large"),
        ] {
            gateway.answer { _, _ in outcome }
            for _ in 0..<10 { #expect(await lane.send(Fixture.message(), to: token) == outcome) }
        }
    }
}

@Suite("Device tokens")
struct DeviceTokenTests {
    @Test("APNs' are hexadecimal bytes of any length up to 200, in one spelling")
    func apns() {
        let token = String(repeating: "0A", count: 32)
        #expect(DeviceToken(token, platform: .ios)?.text == token.lowercased())
        #expect(DeviceToken(String(repeating: "ff", count: 200), platform: .ios) != nil)
        for text in [
            "", "0a", String(repeating: "ff", count: 201), String(repeating: "f", count: 63),
            String(repeating: "0g", count: 32), String(repeating: "０a", count: 32), token + "\n",
            "../" + token,
        ] {
            #expect(DeviceToken(text, platform: .ios) == nil, "\(text)")
        }
    }

    @Test("FCM's are up to 4,096 characters of its alphabet")
    func fcm() {
        #expect(DeviceToken("dQw4:APA91b_x-Y.z~", platform: .android)?.text == "dQw4:APA91b_x-Y.z~")
        #expect(DeviceToken(String(repeating: "x", count: 4_096), platform: .android) != nil)
        for text in [
            "", String(repeating: "x", count: 4_097), "a b", "a/b", "a\u{0}b", "ä", "a\"b", "a%3Ab",
        ] {
            #expect(DeviceToken(text, platform: .android) == nil, "\(text)")
        }
    }

    @Test("a printed token shows nothing of itself")
    func discretion() throws {
        let token = try #require(Fixture.pixel)
        var dumped = ""
        dump(token, to: &dumped)
        for text in ["\(token)", String(reflecting: token), dumped] {
            #expect(!text.contains("APA91b"))
        }
    }
}
