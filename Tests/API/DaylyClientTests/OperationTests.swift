import DaylyAPI
import DaylyClient
import DaylyClientTesting
import Foundation
import Testing

@Suite("Calls of openapi.yaml")
struct OperationTests {
    struct Call: Hashable, CustomStringConvertible {
        let name: String
        let method: String
        /// With `{}` in the place of each parameter.
        let path: String

        var description: String { "\(name): \(method) \(path)" }
    }

    /// Pages for browsers and crawlers, files of the web client, and what the App Store sends. An app reaches a picture by
    /// its signed URL.
    static let notForApps: Set = [
        "getFile", "getWebClient", "getWebClientFile", "getServiceWorker", "getWebManifest", "getIcon",
        "getInvitePage", "getAppleAppSiteAssociation", "getAssetLinks", "getProblemPage",
        "takeCompanionStoreNotification",
    ]

    private static func lines() throws -> [Substring] {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../Sources/Apps/DaylyServer/openapi.yaml").standardized
        return try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    }

    /// The calls of the description, by its indentation.
    private static func described() throws -> Set<Call> {
        var calls: Set<Call> = []
        var (path, method) = ("", "")
        for line in try lines() {
            if let match = line.wholeMatch(of: #/ {2}(/[^ ]*):/#) {
                path = String(match.1.replacing(#/\{\w+\}/#, with: "{}"))
            } else if let match = line.wholeMatch(of: #/ {4}(get|post|put|patch|delete):/#) {
                method = match.1.uppercased()
            } else if let match = line.wholeMatch(of: #/ {6}operationId: (\w+)/#) {
                calls.insert(Call(name: String(match.1), method: method, path: path))
            }
        }
        return calls
    }

    @Test("each call of openapi.yaml is an operation, with its method and path, and each operation is a call")
    func described() throws {
        let described = try Self.described()
        #expect(described.count > 40)
        let known = Operation.allCases.map {
            Call(name: $0.rawValue, method: $0.method.rawValue, path: $0.path)
        }
        #expect(described.filter { !Self.notForApps.contains($0.name) } == Set(known))
        #expect(Self.notForApps.isSubset(of: described.map(\.name)), "the exceptions exist")
    }

    /// The statuses of success stand eight spaces deep in the description.
    @Test("each operation succeeds with the statuses of openapi.yaml")
    func successes() throws {
        var (name, successes): (String, [String: Set<Int>]) = ("", [:])
        for line in try Self.lines() {
            if let match = line.wholeMatch(of: #/ {6}operationId: (\w+)/#) { name = String(match.1) }
            guard let match = line.prefixMatch(of: #/ {8}"?(20\d)"?:/#), let status = Int(match.1) else {
                continue
            }
            successes[name, default: []].insert(status)
        }
        for operation in Operation.allCases {
            #expect(operation.successes == successes[operation.rawValue], "\(operation)")
            #expect((operation.mediaType == nil) == (operation.successes == [204]), "\(operation)")
        }
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

    @Test("each operation has a method, which sends it to its path")
    func methods() async throws {
        let client = try ScriptedClient { request in ScriptedAnswers.answer(to: request) }
        try await EveryCall(dayly: client.dayly).make()
        let made = client.transport.requests.compactMap { Operation.of($0) }
        #expect(made.count == client.transport.requests.count, "each request is an operation")
        #expect(Set(made) == Set(Operation.allCases))
    }

    @Test("a parameter stays one part of the path")
    func escaping() async throws {
        let client = try ScriptedClient { request in
            request.refreshToken == nil ? .done : .json(TokenResponse.numbered(1))
        }
        try await client.dayly.devices.unregister(deviceToken: "a/../b?c#d%e ü")
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
        try await EveryFocusCall(focus: dayly.focus).make()
        try await EveryCompanionCall(companion: dayly.companion).make()
        try await dayly.devices.register(apnsToken: Data([0xAB, 0x01]))
        try await dayly.devices.unregister(apnsToken: Data([0xAB, 0x01]))
        _ = try await dayly.devices.webPushKey()
        try await dayly.analytics.count([AnalyticsEvent(name: .appOpened)])
        let events = try dayly.calls.requests.request(.streamEvents)
        _ = try await dayly.calls.authorized.stream(events)
        try await dayly.auth.signOut()
    }

    private func auth() async throws {
        let verification = try await dayly.auth.requestVerification(phoneNumber: "+14155550101")
        _ = try await dayly.auth.signIn(verification.verificationID, code: "123456", firstName: "Ada")
        try await dayly.auth.refresh()
        _ = try await dayly.auth.devices()
        try await dayly.auth.signOutOtherDevices()
        try await dayly.auth.signOutDevice(id)
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
