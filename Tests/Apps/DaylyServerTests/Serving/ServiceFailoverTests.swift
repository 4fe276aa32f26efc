import Auth
import DaylyTesting
import Foundation
import Postgres
import Synchronization
import Testing

@Suite("The service during a failover")
struct ServiceFailoverTests {
    /// The calls of some people, each of whom changes their name again and again. A name is the number of its change.
    private final class Calls: Sendable {
        struct State {
            var answered = 0
            /// The last acknowledged name of each person.
            var acknowledged: [String: Int] = [:]
            var strange: [String] = []
            var isStopped = false
        }

        let state = Mutex(State())

        var answered: Int { state.withLock { $0.answered } }
        func stop() { state.withLock { $0.isStopped = true } }

        func run(_ service: WholeService, _ token: String) async throws {
            var change = 0
            while !state.withLock({ $0.isStopped }) {
                change += 1
                let (read, written) = (
                    try await service.call("GET", "/v1/users/me", token: token),
                    try await service.call(
                        "PATCH", "/v1/users/me", token: token, body: #"{"first_name": "\#(change)"}"#)
                )
                state.withLock { state in
                    for answer in [read, written] {
                        if answer.status == 503, answer.retryAfter != nil { continue }
                        if answer.status != 200 { state.strange.append("\(answer)") }
                    }
                    guard written.status == 200 else { return }
                    state.answered += 1
                    state.acknowledged[token] = change
                }
            }
        }
    }

    @Test(
        "requests get their answer or 503 with Retry-After, and no acknowledged change is missing")
    func requests() async throws {
        try await PostgresPair.run { pair in
            let database = try await TestDatabase.make(on: pair.url)
            let settings = ["DAYLY_LIMITS_ENFORCE_RATES": "false", "DAYLY_DATABASE_MAX_CONNECTIONS": "6"]
            try await WholeService.serve(settings, on: database) { service in
                let people = try await atOnce(3) { _ in try await service.person() }
                let calls = Calls()
                async let calling: [Void] = atOnce(3) { try await calls.run(service, people[$0].token) }
                try await eventually { calls.answered > 60 }
                try await pair.killPrimary()
                try await Task.sleep(for: .seconds(2.5))
                try await pair.promoteStandby()
                let before = calls.answered
                try await eventually { calls.answered > before + 60 }
                calls.stop()
                _ = try await calling
                let found = calls.state.withLock { $0 }
                #expect(found.strange.isEmpty)
                for person in people {
                    let row = try await service.postgres.first(
                        "SELECT first_name FROM users WHERE id = \(person.id.rawValue)")
                    let name = Int(try row?.get("first_name", as: String.self) ?? "") ?? 0
                    #expect(name >= found.acknowledged[person.token] ?? 0)
                }
            }
            await database.drop()
        }
    }
}
