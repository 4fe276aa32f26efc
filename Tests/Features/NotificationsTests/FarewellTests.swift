import DaylyTesting
import FeatureKit
import Foundation
import Push
import PushTesting
import Testing

@testable import Notifications

/// Guard: devices hear of the end of their session from elsewhere, unless somebody has signed in there again,
/// and no token stays (`AuthService.evict`, `NotificationService.bidFarewell`, `.sendFarewell`)
@Suite("The last message of a session")
struct FarewellTests {
    /// Ends sessions as somebody else than their devices does.
    private static func end(_ sessions: [SessionID], in world: NotificationsWorld) async throws {
        let service = world.service
        try await world.postgres.transaction { tx in
            try service.bidFarewell(tx, to: sessions)
            try tx.execute("UPDATE sessions SET ended_at = now() WHERE id = ANY(\(sessions))")
        }
    }

    @Test("the devices of an ended session, and no others, get one silent message, and no token stays")
    func farewell() async throws {
        try await NotificationsWorld.run { world in
            let ada = try await world.person(device: nil)
            let lost = try await Fixtures.session(in: world.postgres, of: ada.id)
            let (kept, phone, tablet) = (
                NotificationsWorld.token(), NotificationsWorld.token(), NotificationsWorld.token(.android)
            )
            try await world.register(kept, for: ada)
            try await world.register(phone, for: ada, session: lost)
            try await world.register(tablet, for: ada, session: lost)
            world.ios.answer { _, _ in .unavailable(after: nil, reason: "busy") }
            try await Self.end([lost], in: world)
            #expect(try await world.tokens(of: ada) == [kept.text])
            try await world.work()
            world.ios.answer { _, _ in .accepted }
            try await world.hurry()
            try await world.work()
            #expect(Set(world.ios.tokens) == [phone.text] && world.ios.sent.count > 1)
            #expect(world.android.tokens == [tablet.text])
            for (message, _) in world.ios.sent + world.android.sent {
                #expect(message.reader == ada.id.rawValue)
                #expect(message.isSilent && message.data == ["kind": "signed_out"] && message.name == nil)
                #expect(message.expiresAt > Date().addingTimeInterval(27 * 86_400))
            }
            #expect(try await world.rows() == 0)
        }
    }

    @Test("somebody who has signed in there again is not told")
    func signedInAgain() async throws {
        try await NotificationsWorld.run { world in
            let ada = try await world.person(device: nil)
            let lost = try await Fixtures.session(in: world.postgres, of: ada.id)
            let phone = NotificationsWorld.token()
            try await world.register(phone, for: ada, session: lost)
            try await Self.end([lost], in: world)
            try await world.register(phone, for: ada)
            try await world.work()
            #expect(world.ios.sent.isEmpty)
            #expect(try await world.rows() == 0)
        }
    }

    @Test("the last message to a browser waits for its own push service only")
    func lane() async throws {
        try await NotificationsWorld.run { world in
            let ada = try await world.person(device: nil)
            let lost = try await Fixtures.session(in: world.postgres, of: ada.id)
            let browser = FakeBrowser(endpoint: "https://updates.push.services.mozilla.com/wpush/v2/1")
            try await world.register(browser.token(), for: ada, session: lost)
            let service = world.service(gateways: [.web: RecordingPushGateway()])
            try await world.postgres.transaction { tx in try service.bidFarewell(tx, to: [lost]) }
            #expect(try await world.rows("topic = 'farewell' AND lanes = '{web:mozilla}'") == 1)
        }
    }
}
