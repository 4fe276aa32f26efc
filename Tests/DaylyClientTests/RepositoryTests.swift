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
                return StubAnswer(TransportHead(status: 304))
            }
            return .json(GroupList(groups: [ScriptedAnswers.group]), headers: ["ETag": "\"7\""])
        }
        guard case .changed(let groups, let version?) = try await client.dayly.groups.list(since: nil) else {
            throw TransportError("no version")
        }
        #expect(groups.map(\.id) == [ScriptedAnswers.group.id])
        guard case .unchanged = try await client.dayly.groups.list(since: version) else {
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

    @Test("a picture is fetched without the token")
    func picture() async throws {
        let client = try ScriptedClient { request in
            request.url.host == "files.test"
                ? StubAnswer(TransportHead(status: 200), body: Data([1, 2, 3]))
                : ScriptedAnswers.answer(to: request)
        }
        #expect(
            try await client.dayly.photos.picture(of: ScriptedAnswers.photo, .thumbnail) == Data([1, 2, 3]))
        #expect(client.transport.requests.map(\.url.path) == ["/small"])
        #expect(client.transport.requests.compactMap(\.bearer).isEmpty)
    }

    @Test("an expired URL is replaced first, and a photo that has gone is not_found")
    func expiredURL() async throws {
        let hasGone = Locked(false)
        let client = try ScriptedClient { request in
            if request.url.host == "files.test" {
                return StubAnswer(TransportHead(status: request.url.query == "signature=2" ? 200 : 403))
            }
            guard request.url.path.hasPrefix("/v1/photos/") else {
                return ScriptedAnswers.answer(to: request)
            }
            guard !hasGone.withLock({ $0 }) else { return .problem(404, .notFound) }
            var photo = ScriptedAnswers.photo
            photo.url = "https://files.test/full?signature=2"
            return .json(photo)
        }
        _ = try await client.dayly.photos.picture(of: ScriptedAnswers.photo)
        #expect(client.count("/full") == 2, "the URL was refused before its time")
        client.clock.advance(by: .seconds(3600))
        _ = try await client.dayly.photos.picture(of: ScriptedAnswers.photo)
        #expect(client.count("/full") == 3, "the URL is known to have expired")
        hasGone.withLock { $0 = true }
        let error = await #expect(throws: DaylyError.self) {
            try await client.dayly.photos.picture(of: ScriptedAnswers.photo)
        }
        #expect(error?.code == .notFound)
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
        let client = try ScriptedClient { _ in StubAnswer(TransportHead(status: 503)) }
        #expect(try await client.dayly.service.isReady() == false)
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
