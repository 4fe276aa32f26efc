import Auth
import DaylyTesting
import FeatureKit
import Foundation
import HTTPTesting
import HummingbirdTesting
import Postgres
import Push
import Testing

@testable import Notifications

/// The devices' calls, with real tokens of sessions.
private struct Calls: Sendable {
    let client: any TestClientProtocol

    static func run(
        _ world: NotificationsWorld, _ body: @escaping @Sendable (Calls) async throws -> Void
    ) async throws {
        try await withClient(
            of: DeviceRoutes(devices: world.devices).routes,
            authenticator: try await Fixtures.authenticator(world.postgres)
        ) { try await body(Calls(client: $0)) }
    }

    func register(_ token: String, _ platform: String, as person: Person?) async throws -> HTTPAnswer {
        try await client.call(
            .post, "/v1/devices/register", #"{"device_token": "\#(token)", "platform": "\#(platform)"}"#,
            token: person?.token)
    }

    /// - Returns: the status.
    func unregister(_ token: String, as person: Person) async throws -> Int {
        try await client.call(.delete, "/v1/devices/\(token)", token: person.token).status
    }
}

@Suite("Devices")
struct DeviceTests {
    @Test("registering and unregistering are 204, also when repeated, and a token is one row in one spelling")
    func register() async throws {
        try await NotificationsWorld.run { world in
            let ada = try await world.person(device: nil)
            let (ios, android) = (NotificationsWorld.token().text, "dQw4:APA91b_x-Y")
            try await Calls.run(world) { calls async throws in
                for token in [ios, ios.uppercased(), ios] {
                    #expect(try await calls.register(token, "ios", as: ada).status == 204)
                }
                #expect(try await calls.register(android, "android", as: ada).status == 204)
                #expect(try await world.tokens(of: ada).sorted() == [ios, android].sorted())
                for token in ["dQw4%3AAPA91b_x-Y", ios.uppercased(), "nonsense"] {
                    for _ in 0..<2 { #expect(try await calls.unregister(token, as: ada) == 204) }
                }
                #expect(try await world.tokens(of: ada).isEmpty)
            }
        }
    }

    @Test("a wrong token or platform is 400 with a pointer, and the answer does not repeat it")
    func malformed() async throws {
        try await NotificationsWorld.run { world in
            let ada = try await world.person(device: nil)
            try await Calls.run(world) { calls async throws in
                for (token, platform, pointer) in [
                    ("nonsense", "ios", "/device_token"), ("", "android", "/device_token"),
                    ("has space", "android", "/device_token"),
                    (String(repeating: "x", count: 4_097), "android", "/device_token"),
                    (NotificationsWorld.token().text, "windows", "/platform"),
                    (NotificationsWorld.token().text, "iOS", "/platform"),
                ] {
                    let refused = try await calls.register(token, platform, as: ada)
                    #expect(refused.status == 400 && refused.pointer == pointer, "\(refused)")
                    #expect(token.isEmpty || !refused.text.contains(token))
                }
                let missing = try await calls.client.call(
                    .post, "/v1/devices/register", "{}", token: ada.token)
                #expect(missing.status == 400)
                #expect(
                    try await calls.register(NotificationsWorld.token().text, "ios", as: nil).status == 401)
            }
        }
    }

    /// Guard: a user unregisters only their own devices (`DeviceStore.unregister`)
    @Test("a token that another user registers moves to them, and its first user cannot remove it")
    func moves() async throws {
        try await NotificationsWorld.run { world in
            let (ada, bob) = (try await world.person(device: nil), try await world.person(device: nil))
            let token = NotificationsWorld.token().text
            try await Calls.run(world) { calls async throws in
                for person in [ada, bob] {
                    #expect(try await calls.register(token, "ios", as: person).status == 204)
                }
                #expect(try await calls.unregister(token, as: ada) == 204)
                #expect(try await world.tokens(of: ada).isEmpty)
                #expect(try await world.tokens(of: bob) == [token])
            }
        }
    }

    @Test("twenty registrations of one token at once leave one row")
    func race() async throws {
        try await NotificationsWorld.run { world in
            var people: [Person] = []
            for _ in 0..<5 { people.append(try await world.person(device: nil)) }
            let (all, token) = (people, NotificationsWorld.token())
            _ = try await atOnce(20) { try await world.register(token, for: all[$0 % 5]) }
            #expect(try await world.count("SELECT count(*) AS count FROM devices") == 1)
        }
    }

    /// Guard: twenty devices per user, also of those that register at once (`DeviceStore.register`)
    @Test("of more than twenty devices the oldest are deleted")
    func cap() async throws {
        try await NotificationsWorld.run { world in
            let ada = try await world.person(device: nil)
            let tokens = (0..<23).map { _ in NotificationsWorld.token() }
            for token in tokens { try await world.register(token, for: ada) }
            #expect(try await world.tokens(of: ada) == tokens.suffix(20).map(\.text))
            let late = try await world.postgres.holding("SELECT 1 FROM devices FOR UPDATE") {
                let late = Task {
                    try await atOnce(2) { _ in try await world.register(NotificationsWorld.token(), for: ada)
                    }
                }
                try await world.postgres.untilWaiting(2)
                return late
            }
            _ = try await late.value
            #expect(try await world.tokens(of: ada).count == 20, "also of those that come at once")
        }
    }

    /// Guard: a device goes with its session (`sessions_forget_devices`)
    @Test(
        "a device is deleted with its session, however the session ends",
        arguments: [
            "UPDATE sessions SET ended_at = now()", "DELETE FROM sessions", "DELETE FROM users",
        ])
    func session(end: String) async throws {
        try await NotificationsWorld.run { world in
            let ada = try await world.person()
            let other = try await Fixtures.session(in: world.postgres, of: ada.id)
            try await world.register(NotificationsWorld.token(), for: ada, session: other)
            try await world.postgres.execute(
                "\(fragment: SQL(unchecked: end)) WHERE id IN (\(ada.session), \(ada.id))")
            #expect(try await world.tokens(of: ada).count == (end.contains("users") ? 0 : 1))
        }
    }

    /// Guard: a device goes with its session (`sessions_forget_devices`)
    @Test("signing out while registering leaves no device behind")
    func signOutRace() async throws {
        try await NotificationsWorld.run { world in
            for _ in 0..<15 {
                let ada = try await world.person(inGroup: false, device: nil)
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { try? await world.register(NotificationsWorld.token(), for: ada) }
                    group.addTask {
                        try await world.postgres.execute(
                            "UPDATE sessions SET ended_at = now() WHERE id = \(ada.session)")
                    }
                    try await group.waitForAll()
                }
                #expect(try await world.tokens(of: ada).isEmpty)
            }
            let ada = try await world.person(device: nil)
            try await world.postgres.execute("UPDATE sessions SET ended_at = now()")
            await #expect(throws: DeviceError.sessionOver) {
                try await world.register(NotificationsWorld.token(), for: ada)
            }
        }
    }
}
