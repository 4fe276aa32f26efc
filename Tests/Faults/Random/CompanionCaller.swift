import DaylyTesting
import Foundation
import ProgramTesting

/// Sends the calls of one person to any of the instances, and repeats those that get no answer.
struct CompanionCaller: Sendable {
    /// How often something happened, of everybody.
    struct Counts: Sendable {
        let calls = Counter()
        let lost = Counter()
        let unavailable = Counter()
    }

    let person: CompanionPerson
    let servers: Servers
    let gate: Gate
    let counts: Counts

    /// A call that is to have its effect once.
    struct Call: Sendable {
        var method = "POST"
        let path: String
        var body: String?
        var key: String?
    }

    /// Repeats the call until the service has decided about it.
    func send(_ call: Call) async throws -> HTTPAnswer {
        try await eventually("an answer to \(call.path)", within: .seconds(120), every: .milliseconds(40)) {
            let answer = await gate.pass { await attempt(call) }
            if answer?.status == 500 { person.client.world.broken("\(call.path) was answered 500") }
            return answer.flatMap { $0.status >= 500 ? nil : $0 }
        }
    }

    /// Sends the call twice at the same time.
    func sendTwice(_ call: Call) async throws -> [HTTPAnswer] {
        try await atOnce(2) { _ in try await send(call) }
    }

    private func attempt(_ call: Call) async -> HTTPAnswer? {
        var headers = ["Authorization": "Bearer \(person.client.accessToken)"]
        if call.body != nil { headers["Content-Type"] = "application/json" }
        if let key = call.key { headers["Idempotency-Key"] = key }
        counts.calls.increment()
        let answer = try? await Web.send(
            call.method, "\(servers.url)/v1/companion/\(call.path)", headers: headers,
            body: call.body.map { Array($0.utf8) }, timeout: .seconds(30))
        if answer == nil { counts.lost.increment() }
        if answer?.status == 503 { counts.unavailable.increment() }
        return answer
    }
}
