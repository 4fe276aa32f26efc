import ClientFixtures
import DaylyAPI
import DaylyClient
import DaylyClientTesting
import Foundation
import Testing

/// Guard: only idempotent requests are repeated, a bounded number of times, by `Retry-After`
/// (`RetryPolicy.pause`, `RetryingTransport.send`)
@Suite("Repeating requests")
struct ClientRetryTests {
    /// Every pause is the whole of its bound.
    static let patient = RetryPolicy(random: { 1 })

    /// Answers the call with each of these statuses in turn, 0 for a lost connection, and after them with 200.
    private func client(_ statuses: [Int], retryAfter: Int? = nil) throws -> ScriptedClient {
        let rest = Locked(statuses)
        return try ScriptedClient(retries: Self.patient) { request in
            guard request.refreshToken == nil else { return .json(TokenResponse.numbered(1)) }
            let status = rest.withLock { $0.isEmpty ? 200 : $0.removeFirst() }
            guard status > 0 else { throw ClientSessionTests.offline }
            let code = status == 404 ? ProblemCode.notFound : .unavailable
            return status == 200
                ? .json(GroupList(groups: [])) : .problem(status, code, retryAfter: retryAfter)
        }
    }

    /// Moves the clock whenever a task sleeps, and returns how long all slept.
    private func running<Value: Sendable>(
        _ client: ScriptedClient, _ call: @escaping @Sendable () async throws -> Value
    ) async throws -> (Result<Value, any Error>, slept: Duration) {
        let start = client.clock.monotonic
        let done = Locked(false)
        let task = Task {
            defer { done.withLock { $0 = true } }
            return try await call()
        }
        while !done.withLock({ $0 }) {
            if client.clock.sleepers > 0 { client.clock.advance(by: .milliseconds(100)) }
            try await Task.sleep(for: .milliseconds(1))
        }
        return (await task.result, client.clock.monotonic - start)
    }

    @Test("a call that changes nothing is repeated, with pauses that double")
    func repeated() async throws {
        let client = try client([0, 503, 502])
        let (result, slept) = try await running(client) { try await client.dayly.groups.list() }
        #expect(try result.get().isEmpty)
        #expect(slept == .milliseconds(3500), "0.5 s, 1 s and 2 s")
    }

    @Test("four attempts are the most")
    func bounded() async throws {
        let client = try client(Array(repeating: 0, count: 20))
        let (result, _) = try await running(client) { try await client.dayly.groups.list() }
        #expect(throws: DaylyError.networkUnavailable) { try result.get() }
        #expect(client.count("/v1/groups") == 4)
    }

    @Test("Retry-After is waited for")
    func retryAfter() async throws {
        let client = try client([429], retryAfter: 7)
        let (_, slept) = try await running(client) { try await client.dayly.groups.list() }
        #expect(
            slept == .milliseconds(7500), "and half a second, so that refused clients do not come together")
    }

    @Test("a Retry-After that is longer than the longest pause fails the call, with its seconds")
    func longRetryAfter() async throws {
        let client = try client([503], retryAfter: 60)
        let (result, slept) = try await running(client) { try await client.dayly.groups.list() }
        let error = #expect(throws: DaylyError.self) { try result.get() }
        guard case .problem(let problem) = error else { throw TransportError("\(String(describing: error))") }
        #expect(problem.retryAfter == 60)
        #expect(slept == .zero)
    }

    @Test("a call that would be carried out twice is not repeated", arguments: [0, 503])
    func notRepeated(status: Int) async throws {
        let client = try client([status, status])
        let (result, _) = try await running(client) {
            try await client.dayly.groups.create(name: "Breakfast", inviting: ["+14155550102"])
        }
        #expect(throws: DaylyError.self) { try result.get() }
        #expect(client.count("/v1/groups") == 1)
    }

    @Test("a refusal is not repeated", arguments: [400, 404, 409, 500])
    func refusal(status: Int) async throws {
        let client = try client([status])
        let (result, _) = try await running(client) { try await client.dayly.groups.list() }
        #expect(throws: DaylyError.self) { try result.get() }
        #expect(client.count("/v1/groups") == 1)
    }

    /// Guard: a deletion whose answer was lost is not an error (`RetryingTransport.send`)
    @Test("a deletion whose answer was lost has succeeded if the next finds nothing", arguments: [0, 504])
    func lostDeletion(status: Int) async throws {
        let client = try client([status, 404])
        let (result, _) = try await running(client) {
            try await client.dayly.groups.leave(.numbered(1))
        }
        try result.get()
        #expect(client.count("/v1/groups/\(ResourceID.numbered(1))") == 2)
    }

    /// Guard: a deletion whose answer was lost is not an error (`RetryingTransport.send`)
    @Test("a deletion that nothing has carried out before finds nothing", arguments: [[404], [503, 404]])
    func foundNothing(statuses: [Int]) async throws {
        let client = try client(statuses)
        let (result, _) = try await running(client) {
            try await client.dayly.groups.leave(.numbered(1))
        }
        let error = #expect(throws: DaylyError.self) { try result.get() }
        #expect(error?.code == .notFound)
    }

    @Test("an exchange of tokens is repeated too")
    func exchange() async throws {
        let failures = Locked(2)
        let client = try ScriptedClient(retries: Self.patient) { request in
            guard request.refreshToken != nil else { return .json(GroupList(groups: [])) }
            let fails = failures.withLock { count in
                count -= 1
                return count >= 0
            }
            if fails { throw ClientSessionTests.offline }
            return .json(TokenResponse.numbered(1))
        }
        let (result, _) = try await running(client) { try await client.dayly.groups.list() }
        #expect(try result.get().isEmpty)
        #expect(client.count("/v1/auth/refresh") == 3)
    }

    @Test("pauses are random, up to their bound")
    func jitter() {
        let policy = RetryPolicy()
        let pauses = (0..<200).map { _ in policy.delay(attempt: 3) }
        #expect(pauses.allSatisfy { $0 >= .zero && $0 <= .seconds(2) })
        #expect(Set(pauses).count > 100)
        #expect(RetryPolicy(random: { 1 }).delay(attempt: 1000) == .seconds(10))
    }
}
