import DaylyTesting
import Foundation
import FeatureKit
import Groups
import HTTPKit
import Postgres
import Testing

@testable import Focus

extension FocusWorld {
    /// Gives a member figures in a week, as if their phones had made them.
    func setWeek(
        _ week: String, of person: Person, points: Int, longest: Int = 3_600, count: Int = 1, xp: Int = 0,
        usage: Int = 0
    ) async throws {
        try await makePartitions()
        try await postgres.execute(
            """
            INSERT INTO focus_weeks (user_id, week, points, streak_count, longest_streak, xp, usage_points)
            VALUES (\(person.id), \(week)::text::date, \(points)::integer, \(count)::integer, \(longest)::integer,
                \(xp)::integer, \(usage)::integer)
            ON CONFLICT (user_id, week) DO UPDATE
            SET points = excluded.points, streak_count = excluded.streak_count,
                longest_streak = excluded.longest_streak, xp = excluded.xp, usage_points = excluded.usage_points
            """)
    }

    func makePartitions() async throws {
        _ = try await FocusPartitions(postgres: postgres).make()
    }

    func board(_ group: GroupID, as person: Person, _ week: String? = nil) async throws -> HTTPAnswer {
        let query = week.map { "?week=\($0)" } ?? ""
        return try await call(.get, "groups/\(group.rawValue)/board\(query)", as: person)
    }

    /// `1 Ada, 2 Bob`
    func ranks(_ answer: HTTPAnswer) -> [String] {
        zip(answer.texts("entries", "rank"), answer.texts("entries", "first_name")).map { "\($0) \($1)" }
    }
}

@Suite("Boards of groups")
struct FocusBoardTests {
    @Test("B1: points, then the longest streak, then the id; equal members share a rank")
    func ranks() async throws {
        try await FocusWorld.run { world in
            var people: [Person] = []
            for name in ["a", "b", "c", "d"] { people.append(try await world.member(name: name)) }
            people.sort { $0.id.rawValue.uuidString < $1.id.rawValue.uuidString }
            let group = try await world.group(of: people.map(\.id))
            try await world.setWeek("2026-03-02", of: people[2], points: 4_094)
            try await world.setWeek("2026-03-02", of: people[0], points: 4_094)
            try await world.setWeek("2026-03-02", of: people[1], points: 6_174, longest: 28_800)
            let board = try await world.board(group, as: people[3])
            #expect(world.ranks(board) == ["1 b", "2 a", "2 c", "4 d"], "\(board)")
            #expect(board.texts("entries", "points") == ["61.74", "40.94", "40.94", "0"])
            #expect(board.texts("entries", "is_me") == ["false", "false", "false", "true"])
            #expect(board.text("week") == "2026-03-02" && board.text("closed") == "false")
            #expect(board.text("closes_at") == "2026-03-09T17:00:00Z")
            #expect(Set(board.texts("entries", "tracking_status")) == ["pending"])
            #expect(board.header("ETag") != nil)
        }
    }

    @Test("a board lists members with a profile and boards on, and only members see it")
    func visibility() async throws {
        try await FocusWorld.run { world in
            let (ada, bob, eve) = (
                try await world.member(name: "Ada"), try await world.member(name: "Bob"),
                try await world.member(name: "Eve")
            )
            let stranger = try await world.person(name: "Zoe")
            let group = try await world.group(of: [ada.id, bob.id, stranger.id])
            #expect(try await world.ranks(world.board(group, as: ada)) == ["1 Ada", "1 Bob"])
            _ = try await world.call(.put, "profile", as: bob, #"{"consent": "1", "boards": false}"#)
            #expect(try await world.ranks(world.board(group, as: bob)) == ["1 Ada"])
            #expect(try await world.board(group, as: eve).code == "not_found")
            #expect(try await world.board(GroupID(.version7()), as: ada).code == "not_found")
            #expect(try await world.board(group, as: stranger).code == "focus_not_joined")
            #expect(try await world.board(group, as: ada, "2026-03-03").code == "invalid_request")
            #expect(try await world.board(group, as: ada, "soon").code == "invalid_request")
            #expect(try await world.board(group, as: ada, "2026-03-09").code == "not_found")
            _ = try await world.call(.put, "profile", as: ada, #"{"consent": "1", "boards": false}"#)
            #expect(try await world.board(group, as: ada).text("entries") == "[]")
        }
    }

    @Test("the last sync is told by the hour, once it is more than 24 hours ago")
    func syncedAt() async throws {
        try await FocusWorld.run(at: "2026-03-02T12:34:56Z") { world in
            let ada = try await world.member()
            let phone = try await world.phone(of: ada)
            let group = try await world.group(of: [ada.id])
            try await phone.sync()
            #expect(try await world.board(group, as: ada).texts("entries", "synced_at") == ["null"])
            #expect(try await world.board(group, as: ada).texts("entries", "tracking_status") == ["broken"])
            try await world.clock.advance(by: .days(1))
            #expect(try await world.board(group, as: ada).texts("entries", "synced_at") == ["null"])
            try await world.clock.advance(by: .seconds(1))
            #expect(
                try await world.board(group, as: ada).texts("entries", "synced_at") == [
                    "2026-03-02T12:00:00Z"
                ])
        }
    }

    @Test("a closed board never changes, except that people who leave vanish from it")
    func closed() async throws {
        try await FocusWorld.run { world in
            let (ada, bob, cyd) = (
                try await world.member(name: "Ada"), try await world.member(name: "Bob"),
                try await world.member(name: "Cyd")
            )
            let group = try await world.group(of: [ada.id, bob.id])
            try await world.setWeek("2026-03-02", of: ada, points: 4_094)
            try await world.setWeek("2026-03-02", of: bob, points: 6_174)
            try await world.set("2026-03-09T16:59:59Z")
            // The week before is closed late, as its members are now.
            #expect(try await world.feature.close.runOnce().boards == 1)
            #expect(try await world.board(group, as: ada, "2026-03-02").text("closed") == "false")
            try await world.set("2026-03-09T17:00:00Z")
            let report = try await world.feature.close.runOnce()
            #expect(report.boards == 1, "\(report)")
            #expect(try await world.feature.close.runOnce() == FocusClose.Report())
            try await world.setWeek("2026-03-02", of: ada, points: 9_999)
            try await world.join(cyd.id, group)
            try await world.postgres.execute("UPDATE users SET first_name = 'Augusta' WHERE id = \(ada.id)")
            let board = try await world.board(group, as: cyd, "2026-03-02")
            #expect(world.ranks(board) == ["1 Bob", "2 Augusta"] && board.text("closed") == "true")
            #expect(board.texts("entries", "points") == ["61.74", "40.94"])
            _ = try await world.call(.put, "profile", as: bob, #"{"consent": "1", "boards": false}"#)
            #expect(try await world.ranks(world.board(group, as: ada, "2026-03-02")) == ["2 Augusta"])
            _ = try await world.call(.put, "profile", as: bob, #"{"consent": "1"}"#)
            _ = try await world.call(.delete, "profile", as: bob)
            _ = try await world.call(.put, "profile", as: bob, #"{"consent": "1"}"#)
            #expect(try await world.ranks(world.board(group, as: ada, "2026-03-02")) == ["2 Augusta"])
        }
    }

    /// Guard: a week that is closed without a result has no board (`FocusBoardStore.board`)
    @Test("a week whose close is done without a result for the group is 404, and a live one is not")
    func withoutResult() async throws {
        try await FocusWorld.run { world in
            let ada = try await world.member()
            try await world.set("2026-03-09T17:00:00Z")
            let young = try await world.group(of: [ada.id])
            try await world.postgres.execute("UPDATE groups SET created_at = now() WHERE id = \(young)")
            #expect(try await world.board(young, as: ada, "2026-03-02").text("closed") == "false")
            #expect(try await world.feature.close.runOnce().boards == 0)
            #expect(try await world.board(young, as: ada, "2026-03-02").code == "not_found")
            #expect(try await world.board(young, as: ada, "2026-03-09").text("closed") == "false")
        }
    }
}
