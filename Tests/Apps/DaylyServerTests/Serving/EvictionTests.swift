import DaylyTesting
import Push
import Testing

@testable import DaylyServer

/// Reaches every iPhone.
private struct SilentGateway: PushGateway {
    let name = "silent"

    func send(_ message: PushMessage, to token: DeviceToken) async -> PushOutcome { .accepted }
}

@Suite("Sessions that are ended from elsewhere")
struct EvictionTests {
    /// Guard: devices hear of the end of their session from elsewhere, unless somebody has signed in there
    /// again, and no token stays (`AuthService.evict`, `NotificationService.bidFarewell`, `.sendFarewell`)
    @Test("a session that is ended from elsewhere leaves a last message for its devices alone")
    func farewell() async throws {
        var overrides = ServerOverrides()
        overrides.pushGateways = [.ios: SilentGateway()]
        try await WholeService.run(overrides: overrides) { service in
            let ada = try await service.person()
            let other = try await Fixtures.session(in: service.postgres, of: ada.id)
            let (own, lost) = (String(repeating: "ab", count: 32), String(repeating: "cd", count: 32))
            for (text, token) in [(own, ada.token), (lost, try await service.token(of: ada.id, other))] {
                let answer = try await service.call(
                    "POST", "/v1/devices/register", token: token,
                    body: #"{"platform": "ios", "device_token": "\#(text)"}"#)
                #expect(answer.status == 204)
            }
            let path = "/v1/auth/sessions/\(other.rawValue.uuidString)"
            #expect(try await service.call("DELETE", path, token: ada.token).status == 204)
            let rows = try await service.postgres.query(
                "SELECT payload ->> 'token' AS token FROM outbox WHERE topic = 'farewell'")
            #expect(try rows.map { try $0.get("token", as: String.self) } == [lost])
        }
    }
}
