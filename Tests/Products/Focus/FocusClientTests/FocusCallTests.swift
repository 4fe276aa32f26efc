@testable import FocusClient
import ClientFixtures
import FocusAPI
import DaylyAPI
import DaylyClient
import DaylyClientTesting
import Foundation
import Testing

@Suite("Focus: calls")
struct FocusCallTests {
    @Test("what makes something has its key, and a repetition has the same")
    func keys() async throws {
        let client = try ScriptedClient { FocusScriptedAnswers.answer(to: $0) }
        let focus = FocusRepository(client.dayly)
        let key = UUID()
        let new = FocusNewSession(goalMinutes: 25, mode: "allow_list")
        for _ in 1...2 { _ = try await focus.start(new, key: key) }
        _ = try await focus.freeze()
        let keys = client.transport.requests.compactMap { $0.headers["Idempotency-Key"] }
        #expect(keys.count == 3 && keys[0] == key.uuidString.lowercased() && keys[1] == keys[0])
        #expect(keys[2] != keys[0])
    }

    @Test("beast mode says when the session may end")
    func beastMode() async throws {
        let client = try ScriptedClient { request in
            guard request.refreshToken == nil else { return .json(TokenResponse.numbered(1)) }
            let body = """
                {"type":"/problems/beast_mode","title":"x","status":409,"detail":"x","code":"beast_mode",
                "ends_at":"2026-03-02T12:00:00Z"}
                """
            let head = TransportHead(status: 409, headers: ["Content-Type": "application/problem+json"])
            return StubAnswer(head, body: Data(body.utf8))
        }
        let focus = FocusRepository(client.dayly)
        let error = await #expect(throws: DaylyError.self) { try await focus.end(.numbered(1)) }
        #expect(error?.code == .beastMode)
        guard case .problem(let problem) = error else { return }
        #expect(problem.endsAt == Date(timeIntervalSince1970: 1_772_452_800))
    }

    @Test("temptations that are off let locks wait for the next unlock")
    func temptations() async throws {
        let off = FocusTemptations(
            enabled: false, intensity: "low", quietFrom: nil, quietTo: nil, sent: 0, resisted: 0)
        let client = try ScriptedClient { request in
            request.url.path.hasSuffix("/temptations") ? .json(off) : FocusScriptedAnswers.answer(to: request)
        }
        let focus = FocusRepository(client.dayly)
        _ = try await focus.temptations()
        try await focus.queue.record(.lock(.automatic))
        await focus.queue.settle()
        #expect(client.count("/v1/focus/sync") == 0)
        try await focus.queue.record(.unlock(.automatic))
        await focus.queue.settle()
        #expect(client.count("/v1/focus/sync") == 1)
    }

    @Test("leaving forgets the events of this phone")
    func leaving() async throws {
        let client = try ScriptedClient { request in
            request.url.path.hasSuffix("/sync")
                ? .problem(503, .overloaded) : FocusScriptedAnswers.answer(to: request)
        }
        let focus = FocusRepository(client.dayly)
        try await focus.queue.record(.unlock(.automatic))
        await focus.queue.settle()
        #expect(await focus.queue.statuses.first { _ in true }?.pending == 1)
        try await focus.leave()
        #expect(await focus.queue.statuses.first { _ in true }?.pending == 0)
    }

    @Test("each call of Focus has a method, which sends it to its path")
    func everyCall() async throws {
        let client = try ScriptedClient { FocusScriptedAnswers.answer(to: $0) }
        try await EveryFocusCall(focus: FocusRepository(client.dayly)).make()
        let made = client.transport.requests.compactMap { Operation.allFocus.called(by: $0) }
        let calls = client.transport.requests.filter { $0.url.path.hasPrefix("/v1/focus/") }
        #expect(made.count == calls.count, "each request is an operation")
        #expect(Set(made) == Set(Operation.allFocus))
    }

    @Test("a process that notices the next user late leaves what that user has recorded in another process")
    func clearedByOwner() async throws {
        let client = try ScriptedClient { _ in throw TransportError("offline") }
        let early = FocusRepository(client.dayly)
        #expect(try await client.dayly.auth.user == .ada)
        client.store.session = .numbered(3, for: .bob)
        let other = FocusRepository(client.anotherProcess())
        try await other.queue.record(.unlock(.shortcut))
        let device = try await other.queue.device()

        let isCleared = Locked(false)
        client.dayly.session.onSignOut { _ in isCleared.withLock { $0 = true } }
        #expect(try await client.dayly.auth.user == .bob)
        try await soon { isCleared.withLock { $0 } }
        let next = FocusRepository(client.anotherProcess())
        #expect(try await next.queue.device() == device)
        #expect(await next.queue.statuses.first { _ in true }?.pending == 1)
        withExtendedLifetime(early) {}
    }

    /// Guard: an answer counts only with its call's status and type, also for the calls of Focus
    /// (`TransportRequest.isAccepted`)
    @Test("no call takes a network's answer for the service's", arguments: ForeignAnswer.all())
    func foreign(answer: ForeignAnswer) async throws {
        #expect(try await answer.faults(of: Operation.allFocus) == [])
        let client = try ScriptedClient { request in
            request.refreshToken == nil ? answer.answer : .json(TokenResponse.numbered(1))
        }
        let focus = FocusRepository(client.dayly)
        await #expect(throws: DaylyError.unexpectedAnswer(status: answer.status)) {
            try await focus.profile()
        }
    }
}
