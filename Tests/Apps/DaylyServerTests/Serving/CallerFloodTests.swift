import DaylyTesting
import Foundation
import HTTPKit
import Hummingbird
import HummingbirdTesting
import NIOCore
import Postgres
import Synchronization
import Testing

@testable import DaylyServer

private final class Flag: Sendable {
    let value = Atomic(false)
}

@Suite("One account against everybody")
struct CallerFloodTests {
    /// Guard: one user has four requests at a time, and a few that wait (`CallerTable.enter`)
    @Test(
        "128 renames at once by one account hold at most four connections, and a neighbour's call passes them"
    )
    func renames() async throws {
        try await WholeService.run { service in
            let scene = try await service.scene()
            let neighbour = try await service.person(name: "Cy")
            let isOver = Flag()
            try await service.composition.application.test(.router) { client in
                async let holder: Void = Self.hold(scene, service.postgres) {
                    isOver.value.load(ordering: .relaxed)
                }
                let answers = try await withThrowingTaskGroup(of: (Int, String?).self) { group in
                    for number in 0..<128 {
                        group.addTask {
                            let answer = try await client.execute(
                                uri: "/v1/groups/\(scene.group)", method: .put,
                                headers: [
                                    .authorization: "Bearer \(scene.owner.token)",
                                    .contentType: "application/json",
                                ], body: ByteBuffer(string: #"{"name": "Name \#(number)"}"#))
                            return (answer.status.code, answer.headers[.retryAfter])
                        }
                    }
                    try await eventually { try await Self.waiters(service.postgres) == 4 }
                    // Time for more of them, if more could come.
                    try await Task.sleep(for: .milliseconds(300))
                    #expect(try await Self.waiters(service.postgres) == 4)
                    let passing = try await client.execute(
                        uri: "/v1/groups", method: .get,
                        headers: [.authorization: "Bearer \(neighbour.token)"])
                    #expect(passing.status == .ok)
                    isOver.value.store(true, ordering: .relaxed)
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                try await holder
                let renamed = answers.count { $0.0 == 200 }
                #expect((4...32).contains(renamed))
                #expect(answers.filter { $0.0 == 429 && $0.1 != nil }.count == 128 - renamed)
            }
        }
    }

    /// Guard: one user has ten writes a second (`CallerTable.enter`)
    @Test("beyond sixty writes at once an account is refused, before the database is asked")
    func writes() async throws {
        var overrides = ServerOverrides()
        // A machine that is busy with other tests may need long for sixty.
        overrides.writesPerSecond = 0.001
        try await WholeService.run(overrides: overrides) { service in
            let (ada, bob) = (try await service.person(), try await service.person(name: "Bob"))
            var statuses: [Int] = []
            for _ in 0...60 {
                let answer = try await service.call(
                    "DELETE", "/v1/devices/00112233445566778899aabbccddeeff", token: ada.token)
                statuses.append(answer.status)
                if answer.status == 429 {
                    #expect(answer.members["code"] as? String == "rate_limited")
                    #expect(answer.headers[.retryAfter] != nil)
                }
            }
            #expect(statuses.firstIndex(of: 429) == 60)
            #expect(try await service.call("GET", "/v1/groups", token: ada.token).status == 200)
            let other = try await service.call("DELETE", "/v1/devices/0011223344556677", token: bob.token)
            #expect(other.status != 429)
        }
    }

    /// Holds the group's row as a transaction that takes long does.
    private static func hold(
        _ scene: WholeService.Scene, _ postgres: PostgresClient, until isOver: @escaping @Sendable () -> Bool
    ) async throws {
        try await postgres.transaction { transaction in
            _ = try transaction.first("SELECT FROM groups WHERE id = \(scene.group) FOR UPDATE")
            while !isOver() { _ = try transaction.query("SELECT pg_sleep(0.01)") }
        }
    }

    /// Connections that wait for a row.
    private static func waiters(_ postgres: PostgresClient) async throws -> Int {
        try await postgres.count(
            """
            SELECT count(*) AS count FROM pg_stat_activity
            WHERE datname = current_database() AND wait_event_type = 'Lock'
            """)
    }
}
