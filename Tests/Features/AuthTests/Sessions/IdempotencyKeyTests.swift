import DaylyTesting
@testable import FeatureKit
import Foundation
import HTTPKit
import Postgres
import Testing

@testable import Auth

@Suite("Idempotency keys of JSON calls")
struct IdempotencyKeyTests {
    private enum ThingTag {}
    private typealias ThingID = ID<ThingTag>

    /// Calls that make rows of a table, as a handler would.
    private struct Things: Sendable {
        let postgres: PostgresClient
        let user: UserID

        struct Refused: Error {}

        func make(
            _ key: String?, _ body: String = "{}", at path: String = "/v1/things", refuse: Bool = false
        ) async throws -> (id: ThingID, isRepeated: Bool) {
            let call = key.flatMap(IdempotencyKey.init)
                .map { RepeatableCall(path: path, key: $0, body: Array(body.utf8)) }
            let creation = try await postgres.transaction { tx in
                try IdempotencyKeyStore.once(tx, call, of: user, id: ThingID(.version7())) { id in
                    try tx.execute("INSERT INTO things VALUES (\(id))")
                    if refuse { throw Refused() }
                    return id
                } find: { id in
                    try tx.one("SELECT id FROM things WHERE id = \(id)").get("id")
                }
            }
            return (creation.value, creation.isRepeated)
        }

        func count() async throws -> Int { try await postgres.count("SELECT count(*) FROM things") }
    }

    private func withThings(
        hasClock: Bool = false, _ body: (Things, TestClock?) async throws -> Void
    ) async throws {
        func run(_ postgres: PostgresClient, _ clock: TestClock?) async throws {
            try await postgres.execute("CREATE TABLE things (id uuid)")
            try await body(Things(postgres: postgres, user: Fixtures.user(in: postgres)), clock)
        }
        if hasClock {
            try await withTimeMachine { try await run($0.client, $1) }
        } else {
            try await withDatabase { try await run($0, nil) }
        }
    }

    @Test("the same key and body again find what the first call made")
    func repeated() async throws {
        try await withThings { things, _ in
            let first = try await things.make("one", "{1}")
            let again = try await things.make("one", "{1}")
            #expect(!first.isRepeated && again.isRepeated && first.id == again.id)
            #expect(try await things.count() == 1)
            let other = try await things.make("two", "{1}")
            let elsewhere = try await things.make("one", "{1}", at: "/v1/others")
            let none = [try await things.make(nil, "{1}"), try await things.make(nil, "{1}")]
            #expect(!other.isRepeated && !elsewhere.isRepeated && none.allSatisfy { !$0.isRepeated })
            #expect(try await things.count() == 5)
        }
    }

    /// Guard: a key with another body is refused, and ends after seven days (`IdempotencyKeyStore.claim`)
    @Test("the same key with other bytes is refused")
    func otherBody() async throws {
        try await withThings { things, _ in
            _ = try await things.make("one", #"{"a":1}"#)
            await #expect(throws: IdempotencyKeyReused.self) { try await things.make("one", #"{"a": 1}"#) }
            #expect(try await things.count() == 1)
            #expect(IdempotencyKeyReused().problem.code == .idempotencyKeyReused)
            #expect(IdempotencyKeyReused().problem.status == .unprocessableContent)
        }
    }

    @Test("a key belongs to its user")
    func users() async throws {
        try await withThings { things, _ in
            _ = try await things.make("one", "{1}")
            let other = Things(postgres: things.postgres, user: try await Fixtures.user(in: things.postgres))
            let made = try await other.make("one", "{2}")
            #expect(!made.isRepeated)
        }
    }

    @Test("a refused call leaves its key free")
    func refused() async throws {
        try await withThings { things, _ in
            await #expect(throws: Things.Refused.self) { try await things.make("one", "{1}", refuse: true) }
            let made = try await things.make("one", "{2}")
            #expect(!made.isRepeated)
            #expect(try await things.count() == 1)
        }
    }

    @Test("of two equal calls at once one makes something")
    func atOnce() async throws {
        try await withThings { things, _ in
            let made = try await withThrowingTaskGroup(of: (ThingID, Bool).self) { group in
                for _ in 0..<8 { group.addTask { try await things.make("one", "{1}") } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(made.filter { !$0.1 }.count == 1)
            #expect(Set(made.map(\.0)).count == 1)
            #expect(try await things.count() == 1)
        }
    }

    /// Guard: a key with another body is refused, and ends after seven days (`IdempotencyKeyStore.claim`)
    @Test("a key is known for seven days, and the sweep deletes it then")
    func lifetime() async throws {
        try await withThings(hasClock: true) { things, clock in
            let clock = try #require(clock)
            let first = try await things.make("one", "{1}")
            _ = try await things.make("two", "{1}")
            let keys = IdempotencyKeyStore(postgres: things.postgres)
            try await clock.advance(by: .days(7) - .seconds(1))
            #expect(try await things.make("one", "{1}").id == first.id)
            #expect(try await keys.deleteOld() == 0)
            try await clock.advance(by: .seconds(1))
            #expect(try await !things.make("one", "{2}").isRepeated)
            #expect(try await keys.deleteOld() == 1)
            #expect(try await things.postgres.count("SELECT count(*) FROM idempotency_keys") == 1)
        }
    }
}
