import ClientFixtures
import DaylyAPI
import DaylyClient
import DaylyClientTesting
import Foundation
import Testing

@Suite("Calls of openapi.yaml")
struct OperationTests {
    private static func lines() throws -> [Substring] {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../Sources/Apps/DaylyServer/openapi.yaml").standardized
        return try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    }

    @Test("openapi.yaml describes each member of a problem document")
    func problems() throws {
        let schema = try Self.lines().drop { $0 != "    ProblemDocument:" }.dropFirst()
            .prefix { $0.hasPrefix("     ") }
        let described = schema.compactMap { $0.prefixMatch(of: #/ {8}(\w+):/#).map { String($0.1) } }
        let now = Date()
        let problem = ProblemDocument(
            type: "", title: "", status: 400, detail: "", code: "", requestID: "", errors: [],
            attemptsRemaining: 0, nextSendAt: now, retryAt: now, endsAt: now,
            challenge: WorkChallenge(token: "", bytes: 0, bits: 0, count: 0))
        let members = try JSONSerialization.jsonObject(with: ClientJSON.encode(problem)) as? [String: Any]
        #expect(Set(described) == Set(members?.keys.map { $0 } ?? []))
    }

    /// Guard: each call of openapi.yaml has a method (`Operation`)
    @Test("each operation has a method, which sends it to its path")
    func methods() async throws {
        let client = try ScriptedClient { request in ScriptedAnswers.answer(to: request) }
        try await EveryCall(dayly: client.dayly).make()
        let made = client.transport.requests.compactMap { Operation.all.called(by: $0) }
        #expect(made.count == client.transport.requests.count, "each request is an operation")
        #expect(Set(made) == Set(Operation.all))
    }

    /// Guard: a value stays one part of a path (`RequestBuilder.escaped`)
    @Test("a parameter stays one part of the path")
    func escaping() async throws {
        let client = try ScriptedClient { request in
            request.refreshToken == nil ? .done : .json(TokenResponse.numbered(1))
        }
        try await client.dayly.pushAddresses.unregister(deviceToken: "a/../b?c#d%e ü")
        #expect(
            client.transport.requests.last?.url.absoluteString
                == "https://dayly.test/v1/devices/a%2F..%2Fb%3Fc%23d%25e%20%C3%BC")
    }
}

/// Calls every method of the client once.
private struct EveryCall {
    let dayly: Dayly
    let id = ResourceID.numbered(1)

    func make() async throws {
        _ = try await dayly.service.isAlive()
        _ = try await dayly.service.isReady()
        _ = try await dayly.service.description()
        try await auth()
        try await profile()
        try await groups()
        try await photos()
        try await dayly.pushAddresses.register(apnsToken: Data([0xAB, 0x01]))
        try await dayly.pushAddresses.unregister(apnsToken: Data([0xAB, 0x01]))
        _ = try await dayly.pushAddresses.webPushKey()
        try await dayly.analytics.count([AnalyticsEvent(name: .appOpened)])
        let events = try dayly.calls.requests.request(.streamEvents)
        _ = try await dayly.calls.authorized.stream(events)
        try await dayly.auth.signOut()
    }

    private func auth() async throws {
        let verification = try await dayly.auth.requestVerification(phoneNumber: "+14155550101")
        _ = try await dayly.auth.signIn(verification.verificationID, code: "123456", firstName: "Ada")
        try await dayly.auth.refresh()
        _ = try await dayly.auth.sessions()
        try await dayly.auth.endOtherSessions()
        try await dayly.auth.endSession(id)
    }

    private func profile() async throws {
        _ = try await dayly.profile.get()
        _ = try await dayly.profile.update(UserPatch(firstName: "Ada"))
        _ = try await dayly.profile.export()
        _ = try await dayly.profile.blocks()
        try await dayly.profile.block(id)
        try await dayly.profile.unblock(id)
    }

    private func groups() async throws {
        _ = try await dayly.groups.list()
        _ = try await dayly.groups.create(name: "Breakfast", inviting: ["+14155550102"])
        _ = try await dayly.groups.get(id)
        _ = try await dayly.groups.rename(id, to: "Lunch")
        try await dayly.groups.mute(id)
        try await dayly.groups.unmute(id)
        try await dayly.groups.remove(.numbered(2), from: id)
        try await dayly.groups.leave(id)
        _ = try await dayly.invites.check(["+14155550102"])
        _ = try await dayly.invites.send(["+14155550102"], to: id)
        _ = try await dayly.invites.received()
        _ = try await dayly.invites.open(in: id)
        try await dayly.invites.revoke(id)
        _ = try await dayly.invites.redeem("ABC234")
    }

    private func photos() async throws {
        _ = try await dayly.photos.feed(of: id, since: "cursor")
        _ = try await dayly.photos.today(in: id)
        _ = try await dayly.photos.uploadTicket(for: "key", in: id)
        let picture = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).jpg")
        try Data([0xFF, 0xD8]).write(to: picture)
        defer { try? FileManager.default.removeItem(at: picture) }
        _ = try await dayly.photos.send(picture, format: .jpeg, to: id, key: "key")
        _ = try await dayly.photos.get(id)
        try await dayly.photos.delete(id)
        try await dayly.profile.deleteAccount()
        try await auth()
    }
}
