import DaylyAPI
import DaylyClient
import DaylyClientTesting
import Foundation
import Testing

@Suite("Focus: calls")
struct FocusCallTests {
    @Test("what makes something has its key, and a repetition has the same")
    func keys() async throws {
        let client = try ScriptedClient { ScriptedAnswers.answer(to: $0) }
        let key = UUID()
        let new = FocusNewSession(goalMinutes: 25, mode: "allow_list")
        for _ in 1...2 { _ = try await client.dayly.focus.start(new, key: key) }
        _ = try await client.dayly.focus.freeze()
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
        let error = await #expect(throws: DaylyError.self) { try await client.dayly.focus.end(.numbered(1)) }
        #expect(error?.code == .beastMode)
        guard case .problem(let problem) = error else { return }
        #expect(problem.endsAt == Date(timeIntervalSince1970: 1_772_452_800))
    }

    @Test("temptations that are off let locks wait for the next unlock")
    func temptations() async throws {
        let off = FocusTemptations(
            enabled: false, intensity: "low", quietFrom: nil, quietTo: nil, sent: 0, resisted: 0)
        let client = try ScriptedClient { request in
            request.url.path.hasSuffix("/temptations") ? .json(off) : ScriptedAnswers.answer(to: request)
        }
        _ = try await client.dayly.focus.temptations()
        try await client.dayly.focus.queue.record(.lock(.automatic))
        await client.dayly.focus.queue.settle()
        #expect(client.count("/v1/focus/sync") == 0)
        try await client.dayly.focus.queue.record(.unlock(.automatic))
        await client.dayly.focus.queue.settle()
        #expect(client.count("/v1/focus/sync") == 1)
    }

    @Test("leaving forgets the events of this phone")
    func leaving() async throws {
        let client = try ScriptedClient { request in
            request.url.path.hasSuffix("/sync")
                ? .problem(503, .overloaded) : ScriptedAnswers.answer(to: request)
        }
        try await client.dayly.focus.queue.record(.unlock(.automatic))
        await client.dayly.focus.queue.settle()
        #expect(await client.dayly.focus.queue.statuses.first { _ in true }?.pending == 1)
        try await client.dayly.focus.leave()
        #expect(await client.dayly.focus.queue.statuses.first { _ in true }?.pending == 0)
    }
}
