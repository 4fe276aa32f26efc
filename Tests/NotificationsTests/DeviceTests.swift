import Auth
import DaylyTesting
import FeatureKit
import Foundation
import HTTPKit
import Hummingbird
import HummingbirdTesting
import Postgres
import Push
import Testing

@testable import Notifications

/// The devices' calls, with real tokens of sessions.
private struct Calls: Sendable {
    let client: any TestClientProtocol

    static func run(_ world: World, _ body: @escaping @Sendable (Calls) async throws -> Void) async throws {
        let router = AppRouter()
        let group = router.group("v1").add(middleware: try await Fixtures.authenticator(world.postgres))
        for route in DeviceRoutes(devices: world.devices).routes {
            group.on(RouterPath(route.path), method: route.method, use: route.handler)
        }
        let application = Application(responder: router.buildResponder())
        try await application.test(.router) { try await body(Calls(client: $0)) }
    }

    func call(
        _ method: HTTPRequest.Method, _ path: String, as token: String?, _ body: String? = nil
    ) async throws -> (status: Int, text: String) {
        var headers: HTTPFields = body == nil ? [:] : [.contentType: "application/json"]
        if let token { headers[.authorization] = "Bearer \(token)" }
        return try await client.execute(
            uri: "/v1/\(path)", method: method, headers: headers, body: body.map { ByteBuffer(string: $0) }
        ) { ($0.status.code, String(buffer: $0.body)) }
    }

    func register(_ token: String, _ platform: String, as access: String) async throws -> (Int, String) {
        try await call(
            .post, "devices/register", as: access,
            #"{"device_token": "\#(token)", "platform": "\#(platform)"}"#)
    }
}

@Suite("Devices")
struct DeviceTests {
    private func access(_ world: World, _ person: World.Person, _ session: SessionID? = nil) async throws
        -> String
    {
        try await Fixtures.accessToken(
            in: world.postgres, for: person.id, session: session ?? person.session)
    }

    @Test("registering and unregistering are 204, again too; a token is one row, in one spelling")
    func register() async throws {
        try await World.run { world in
            let ada = try await world.person(device: nil)
            let (ios, android) = (World.token().text, "dQw4:APA91b_x-Y")
            let access = try await access(world, ada)
            try await Calls.run(world) { calls in
                for token in [ios, ios.uppercased(), ios] {
                    #expect(try await calls.register(token, "ios", as: access).0 == 204)
                }
                let (status, _) = try await calls.register(android, "android", as: access)
                #expect(status == 204)
                #expect(try await world.tokens(of: ada).sorted() == [ios, android].sorted())
                for path in ["devices/dQw4%3AAPA91b_x-Y", "devices/\(ios.uppercased())", "devices/nonsense"] {
                    for _ in 0..<2 {
                        #expect(try await calls.call(.delete, path, as: access).status == 204)
                    }
                }
                #expect(try await world.tokens(of: ada).isEmpty)
            }
        }
    }

    @Test("what is no token or no platform is 400 with a pointer, and never repeated")
    func malformed() async throws {
        try await World.run { world in
            let access = try await access(world, try await world.person(device: nil))
            try await Calls.run(world) { calls in
                for (token, platform, pointer) in [
                    ("nonsense", "ios", "/device_token"), ("", "android", "/device_token"),
                    ("has space", "android", "/device_token"),
                    (String(repeating: "x", count: 4_097), "android", "/device_token"),
                    (World.token().text, "windows", "/platform"), (World.token().text, "iOS", "/platform"),
                ] {
                    let (status, text) = try await calls.register(token, platform, as: access)
                    #expect(status == 400 && text.contains(pointer), "\(text)")
                    #expect(token.isEmpty || !text.contains(token))
                }
                let missing = try await calls.call(.post, "devices/register", as: access, "{}")
                #expect(missing.status == 400)
                #expect(try await calls.call(.post, "devices/register", as: nil, "{}").status == 401)
            }
        }
    }

    @Test("a token that moves to another user moves, and its first user can end it no more")
    func moves() async throws {
        try await World.run { world in
            let (ada, bob) = (try await world.person(device: nil), try await world.person(device: nil))
            let token = World.token().text
            let (hers, his) = (try await access(world, ada), try await access(world, bob))
            try await Calls.run(world) { calls in
                for access in [hers, his] {
                    let (status, _) = try await calls.register(token, "ios", as: access)
                    #expect(status == 204)
                }
                #expect(try await calls.call(.delete, "devices/\(token)", as: hers).status == 204)
                #expect(try await world.tokens(of: ada).isEmpty)
                #expect(try await world.tokens(of: bob) == [token])
            }
        }
    }

    @Test("of twenty at once with one token one row is left")
    func race() async throws {
        try await World.run { world in
            var people: [World.Person] = []
            for _ in 0..<5 { people.append(try await world.person(device: nil)) }
            let (all, token) = (people, World.token())
            try await withThrowingTaskGroup(of: Void.self) { group in
                for index in 0..<20 { group.addTask { try await world.register(token, for: all[index % 5]) } }
                try await group.waitForAll()
            }
            let row = try await world.postgres.first("SELECT count(*) AS count FROM devices")
            #expect(try #require(row).get("count", as: Int.self) == 1)
        }
    }

    @Test("of more than twenty the oldest go")
    func cap() async throws {
        try await World.run { world in
            let ada = try await world.person(device: nil)
            let tokens = (0..<23).map { _ in World.token() }
            for token in tokens { try await world.register(token, for: ada) }
            #expect(try await world.tokens(of: ada) == tokens.suffix(20).map(\.text))
        }
    }

    @Test(
        "a device goes with its session, however that ends",
        arguments: [
            "UPDATE sessions SET ended_at = now()", "DELETE FROM sessions", "DELETE FROM users",
        ])
    func session(end: String) async throws {
        try await World.run { world in
            let ada = try await world.person()
            let other = try await Fixtures.session(in: world.postgres, of: ada.id)
            try await world.register(World.token(), for: ada, session: other)
            try await world.postgres.execute(
                "\(fragment: SQL(unchecked: end)) WHERE id IN (\(ada.session), \(ada.id))")
            #expect(try await world.tokens(of: ada).count == (end.contains("users") ? 0 : 1))
        }
    }

    @Test("signing out while registering leaves no device behind")
    func signOutRace() async throws {
        try await World.run { world in
            for _ in 0..<15 {
                let ada = try await world.person(inGroup: false, device: nil)
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { try? await world.register(World.token(), for: ada) }
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
                try await world.register(World.token(), for: ada)
            }
        }
    }
}
