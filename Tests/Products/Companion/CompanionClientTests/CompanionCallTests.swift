@testable import CompanionClient
import ClientFixtures
import CompanionAPI
import DaylyAPI
import DaylyClient
import DaylyClientTesting
import Foundation
import Testing

@Suite("Companion: calls")
struct CompanionCallTests {
    @Test("what makes something has its key, and a repetition has the same key and bytes")
    func keys() async throws {
        let client = try ScriptedClient { CompanionScriptedAnswers.answer(to: $0) }
        let companion = CompanionRepository(client.dayly)
        let key = UUID()
        for _ in 1...2 { _ = try await companion.feed("dinner", key: key) }
        _ = try await companion.adopt(CompanionNewPet(species: "cat", name: "Miso"))
        _ = try await companion.cure()
        _ = try await companion.revive()
        _ = try await companion.restart(with: CompanionNewPet(species: "dog", name: "Miso"))
        _ = try await companion.buy("red_scarf", for: "gems")
        let requests = client.transport.requests.filter { $0.url.path.contains("companion") }
        let keys = requests.compactMap { $0.headers["Idempotency-Key"] }
        #expect(keys.count == 7 && keys[0] == key.uuidString.lowercased() && keys[1] == keys[0])
        #expect(Set(keys).count == 6)
        #expect(requests[0].body == requests[1].body)
    }

    @Test("a call without an answer is repeated with its key")
    func repetition() async throws {
        let answers = Locked(0)
        let client = try ScriptedClient(retries: RetryPolicy(random: { 0 })) { request in
            guard request.url.path.hasSuffix("/feed") else {
                return CompanionScriptedAnswers.answer(to: request)
            }
            let count = answers.withLock { count in
                count += 1
                return count
            }
            if count == 1 { throw TransportError("the answer was lost") }
            return CompanionScriptedAnswers.answer(to: request)
        }
        let companion = CompanionRepository(client.dayly)
        _ = try await companion.feed("dinner")
        let feeds = client.transport.requests.filter { $0.url.path.hasSuffix("/feed") }
        #expect(
            feeds.count == 2 && feeds[0].headers["Idempotency-Key"] == feeds[1].headers["Idempotency-Key"])
    }

    @Test("a recovery that has to wait says until when")
    func recovery() async throws {
        let client = try ScriptedClient { request in
            guard request.refreshToken == nil else { return .json(TokenResponse.numbered(1)) }
            let body = """
                {"type":"/problems/recovery_unavailable","title":"x","status":409,"detail":"x",
                "code":"recovery_unavailable","retry_at":"2026-03-02T12:00:00Z"}
                """
            let head = TransportHead(status: 409, headers: ["Content-Type": "application/problem+json"])
            return StubAnswer(head, body: Data(body.utf8))
        }
        let companion = CompanionRepository(client.dayly)
        let error = await #expect(throws: DaylyError.self) { try await companion.cure() }
        #expect(error?.code == .recoveryUnavailable)
        guard case .problem(let problem) = error else { return }
        #expect(problem.retryAt == Date(timeIntervalSince1970: 1_772_452_800))
    }

    @Test("a cure has an object without members for its body, and settings leave out what takes its default")
    func bodies() async throws {
        let client = try ScriptedClient { CompanionScriptedAnswers.answer(to: $0) }
        let companion = CompanionRepository(client.dayly)
        _ = try await companion.cure()
        #expect(client.transport.requests.last?.body == Data("{}".utf8))
        _ = try await companion.join(CompanionPreferencesRequest(limitMinutes: 240))
        #expect(client.transport.requests.last?.body == Data(#"{"consent":"1","limit_minutes":240}"#.utf8))
    }

    @Test("texts come in the language that the app names")
    func language() async throws {
        let client = try ScriptedClient { CompanionScriptedAnswers.answer(to: $0) }
        let companion = CompanionRepository(client.dayly)
        _ = try await companion.texts(language: "de")
        #expect(client.transport.requests.last?.headers["Accept-Language"] == "de")
        _ = try await companion.diary(language: "de")
        #expect(client.transport.requests.last?.headers["Accept-Language"] == "de")
        _ = try await companion.diary()
        #expect(client.transport.requests.last?.headers["Accept-Language"] == nil)
    }

    @Test("leaving forgets the events of this phone")
    func leaving() async throws {
        let client = try ScriptedClient { request in
            request.url.path.hasSuffix("/sync")
                ? .problem(503, .overloaded) : CompanionScriptedAnswers.answer(to: request)
        }
        let companion = CompanionRepository(client.dayly)
        try await companion.queue.record(.bypass)
        await companion.queue.settle()
        #expect(await companion.queue.statuses.first { _ in true }?.pending == 1)
        try await companion.leave()
        #expect(await companion.queue.statuses.first { _ in true }?.pending == 0)
    }

    /// Guard: a phone over the limit keeps its events until another phone is removed
    /// (`PhoneSyncMachine.finish`, `CompanionRepository.remove`)
    @Test("the sixth phone waits until another one is removed")
    func deviceLimit() async throws {
        let isFull = Locked(true)
        let client = try ScriptedClient { request in
            request.url.path.hasSuffix("/sync") && isFull.withLock { $0 }
                ? .problem(409, .deviceLimitReached) : CompanionScriptedAnswers.answer(to: request)
        }
        let companion = CompanionRepository(client.dayly)
        try await companion.queue.record(.bypass)
        await companion.queue.settle()
        let stopped = await companion.queue.statuses.first { _ in true }
        #expect(stopped?.state == .stopped(.refused(code: "device_limit_reached")) && stopped?.pending == 1)
        isFull.withLock { $0 = false }
        try await companion.remove(device: .numbered(2))
        await companion.queue.settle()
        #expect(await companion.queue.statuses.first { _ in true }?.pending == 0)
    }

    @Test("each call of Companion has a method, which sends it to its path")
    func everyCall() async throws {
        let client = try ScriptedClient { CompanionScriptedAnswers.answer(to: $0) }
        try await EveryCompanionCall(companion: CompanionRepository(client.dayly)).make()
        let made = client.transport.requests.compactMap { Operation.allCompanion.called(by: $0) }
        let calls = client.transport.requests.filter { $0.url.path.hasPrefix("/v1/companion/") }
        #expect(made.count == calls.count, "each request is an operation")
        #expect(Set(made) == Set(Operation.allCompanion))
    }

    @Test("a process that notices the next user late leaves what that user has recorded in another process")
    func clearedByOwner() async throws {
        let client = try ScriptedClient { _ in throw TransportError("offline") }
        let early = CompanionRepository(client.dayly)
        #expect(try await client.dayly.auth.user == .ada)
        client.store.session = .numbered(3, for: .bob)
        let other = CompanionRepository(client.anotherProcess())
        try await other.queue.record(.open)
        let device = try await other.queue.device()

        let isCleared = Locked(false)
        client.dayly.session.onSignOut { _ in isCleared.withLock { $0 = true } }
        #expect(try await client.dayly.auth.user == .bob)
        try await soon { isCleared.withLock { $0 } }
        let next = CompanionRepository(client.anotherProcess())
        #expect(try await next.queue.device() == device)
        #expect(await next.queue.statuses.first { _ in true }?.pending == 1)
        withExtendedLifetime(early) {}
    }

    /// Guard: an answer counts only with its call's status and type, also for the calls of Companion
    /// (`TransportRequest.isAccepted`)
    @Test("no call takes a network's answer for the service's", arguments: ForeignAnswer.all())
    func foreign(answer: ForeignAnswer) async throws {
        #expect(try await answer.faults(of: Operation.allCompanion) == [])
        let client = try ScriptedClient { request in
            request.refreshToken == nil ? answer.answer : .json(TokenResponse.numbered(1))
        }
        let companion = CompanionRepository(client.dayly)
        await #expect(throws: DaylyError.unexpectedAnswer(status: answer.status)) {
            try await companion.pet()
        }
    }
}
