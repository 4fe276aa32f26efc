import Foundation
import Push
import PushTesting

enum Fixture {
    static let iPhone = DeviceToken(String(repeating: "a1b2", count: 16), platform: .ios)
    static let pixel = DeviceToken("dQw4w9WgXcQ:APA91b_test-token", platform: .android)

    static func message(
        collapseID: String = "photo.group.2026-11-21", data: [String: String] = ["group_id": "group"],
        expiresIn seconds: TimeInterval = 3_600, urgency: PushMessage.Urgency = .immediate,
        isSilent: Bool = false, reader: UUID? = nil
    ) -> PushMessage {
        PushMessage(
            id: UUID(), collapseID: collapseID, threadID: "group", titleKey: "push_photo_title",
            bodyKey: "push_photo_body", data: data, expiresAt: Date().addingTimeInterval(seconds),
            urgency: urgency, isSilent: isSilent, reader: reader)
    }

    static func outcomes(of count: Int, _ send: () async -> PushOutcome) async -> [PushOutcome] {
        var outcomes: [PushOutcome] = []
        for _ in 0..<count { outcomes.append(await send()) }
        return outcomes
    }

    /// Opens a gateway to the fake for `body`.
    static func withGateway(
        _ fake: FakeAPNS, keyID: String = FakeAPNS.keyID, timeout: Duration = .seconds(10),
        now: @escaping @Sendable () -> Date = { Date() },
        _ body: @Sendable (APNSGateway) async throws -> Void
    ) async throws {
        let transport = try PushTransport(timeout: timeout, certificateAuthorities: fake.authority)
        let gateway = try APNSGateway(
            APNSGateway.Configuration(
                url: fake.url, teamID: FakeAPNS.teamID, keyID: keyID, key: FakeAPNS.key.pemRepresentation,
                topic: FakeAPNS.topic),
            transport: transport, now: now)
        try await closing(transport) { try await body(gateway) }
    }

    static func withGateway(
        _ fake: FakeFCM, timeout: Duration = .seconds(10), now: @escaping @Sendable () -> Date = { Date() },
        _ body: @Sendable (FCMGateway) async throws -> Void
    ) async throws {
        let transport = try PushTransport(timeout: timeout)
        guard let account = ServiceAccount(json: Data(try fake.serviceAccount().utf8)) else {
            throw PushKeyUnreadable()
        }
        let gateway = try FCMGateway(url: fake.url, account: account, transport: transport, now: now)
        try await closing(transport) { try await body(gateway) }
    }

    private static func closing(_ transport: PushTransport, _ body: () async throws -> Void) async throws {
        do {
            try await body()
            try await transport.shutdown()
        } catch {
            try? await transport.shutdown()
            throw error
        }
    }
}
