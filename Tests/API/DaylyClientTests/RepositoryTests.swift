import ClientFixtures
import DaylyAPI
import DaylyClient
import DaylyClientTesting
import Foundation
import Testing

@Suite("Repositories")
struct RepositoryTests {
    @Test("an app that names its version is told that nothing has changed")
    func conditional() async throws {
        let client = try ScriptedClient { request in
            guard request.refreshToken == nil else { return .json(TokenResponse.numbered(1)) }
            guard request.headers["If-None-Match"] != "\"7\"" else {
                return StubAnswer(TransportHead(status: 304, headers: ["X-Request-ID": "stub"]))
            }
            return .json(GroupList(groups: [ScriptedAnswers.group]), headers: ["ETag": "\"7\""])
        }
        guard case .changed(let groups, let version?) = try await client.dayly.groups.list(unless: nil) else {
            throw TransportError("no version")
        }
        #expect(groups.map(\.id) == [ScriptedAnswers.group.id])
        guard case .unchanged = try await client.dayly.groups.list(unless: version) else {
            throw TransportError("not unchanged")
        }
    }

    @Test("contacts are checked in parts of fifty")
    func contacts() async throws {
        let client = try ScriptedClient { request in
            guard request.refreshToken == nil, let body = request.body else {
                return .json(TokenResponse.numbered(1))
            }
            let asked = try ClientJSON.decode(ContactCheckRequest.self, from: body).phoneNumbers
            return .json(
                ContactCheckResult(existing: [asked[0]], needsInvite: Array(asked.dropFirst()), invalid: []))
        }
        let numbers = (0..<120).map { "+1415555\(1000 + $0)" }
        let result = try await client.dayly.invites.check(numbers)
        #expect(client.count("/v1/invites/check-users") == 3)
        #expect(result.existing == [numbers[0], numbers[50], numbers[100]])
        #expect(Set(result.existing + result.needsInvite) == Set(numbers))
        #expect(try await client.dayly.invites.check([]).existing.isEmpty)
    }

    /// Guard: what was answered about contacts before a refusal is not lost (`ContactCheckParts`)
    @Test("contacts beyond the day's numbers lose no answer about the others")
    func contactParts() async throws {
        let asked = Locked<[[String]]>([])
        let client = try ScriptedClient { request in
            guard request.refreshToken == nil, let body = request.body else {
                return .json(TokenResponse.numbered(1))
            }
            let part = try ClientJSON.decode(ContactCheckRequest.self, from: body).phoneNumbers
            let count = asked.withLock { asked in
                asked.append(part)
                return asked.count
            }
            guard count < 3 else { return .problem(429, .rateLimited, retryAfter: 3600) }
            return .json(ContactCheckResult(existing: part, needsInvite: [], invalid: []))
        }
        let numbers = (0..<120).map { "+1415555\(1000 + $0)" }
        var known: [String] = []
        let error = await #expect(throws: DaylyError.self) {
            for try await part in client.dayly.invites.checkInParts(numbers) {
                // A part names people of the last request only.
                #expect(asked.withLock { $0.last } == part.existing)
                known += part.existing
            }
        }
        #expect(error?.code == .rateLimited)
        #expect(known == Array(numbers.prefix(100)))
    }

    @Test("an upload has its key, its type and its bytes, and reports its progress")
    func upload() async throws {
        let client = try ScriptedClient { ScriptedAnswers.answer(to: $0) }
        let picture = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).heic")
        try Data(repeating: 7, count: 1000).write(to: picture)
        defer { try? FileManager.default.removeItem(at: picture) }
        let progress = Locked<[Double]>([])
        _ = try await client.dayly.photos.send(
            picture, format: .heic, to: .numbered(1), key: "monday"
        ) { part in progress.withLock { $0.append(part.fraction) } }
        let request = try #require(client.transport.requests.last)
        #expect(request.headers["Idempotency-Key"] == "monday")
        #expect(request.headers["Content-Type"] == "image/heic")
        #expect(request.body?.count == 1000)
        #expect(progress.withLock { $0 } == [0.5, 1])
    }

    @Test("a service that is not ready says so")
    func readiness() async throws {
        let client = try ScriptedClient { _ in .problem(503, .unavailable) }
        #expect(try await client.dayly.service.isReady() == false)
    }

    /// Guard: an answer counts only with its call's status and type, one without a body with its
    /// `X-Request-ID`, a refusal as a problem document of ours (`TransportRequest.isAccepted`,
    /// `ProblemDocument.init` (ServiceAnswer.swift))
    @Test("a proxy's page or redirect does not count as success", arguments: [200, 302])
    func proxy(status: Int) async throws {
        let client = try ScriptedClient { request in
            guard request.refreshToken == nil else { return .json(TokenResponse.numbered(1)) }
            let head = TransportHead(status: status, headers: ["Content-Type": "text/html"])
            return StubAnswer(head, body: Data("<html>Sign in".utf8))
        }
        let error = DaylyError.unexpectedAnswer(status: status)
        await #expect(throws: error) { try await client.dayly.profile.deleteAccount() }
        #expect(client.store.session != nil, "the account is still there")
        await #expect(throws: error) { try await client.dayly.groups.leave(.numbered(1)) }
        await #expect(throws: error) { try await client.dayly.profile.export() }
    }

    @Test("a changed profile is kept for the next start")
    func profile() async throws {
        let renamed = Locked(User.ada)
        renamed.withLock { $0.firstName = "Augusta" }
        let client = try ScriptedClient { request in
            request.refreshToken == nil
                ? .json(renamed.withLock { $0 }) : .json(TokenResponse.numbered(1))
        }
        _ = try await client.dayly.profile.update(UserPatch(firstName: "Augusta"))
        #expect(client.store.session?.user.firstName == "Augusta")
        #expect(client.store.session?.refreshToken == "refresh-1")
    }
}
