import DaylyTesting
import Foundation
import HTTPKit
import Postgres
import Testing

@Suite("The events of a user's other phones")
struct FocusOtherEventTests {
    @Test("a sync without a cursor gets the last 7 days, and the next one gets what is new")
    func cursor() async throws {
        try await FocusWorld.run { world in
            let ada = try await world.member()
            let (a, b) = (try await world.phone(of: ada), try await world.phone(of: ada))
            try await a.sync(
                a.event("L", "09:00"), a.event("U", "10:00"),
                a.usage("2026-03-01", 95, final: true, at: "2026-03-02T10:01:00Z"))
            let first = try await b.sync()
            #expect(first.texts("others", "seq") == ["1", "2", "3"])
            #expect(first.texts("others", "device") == ["1", "1", "1"])
            #expect(first.texts("others", "kind") == ["lock", "unlock", "usage"])
            #expect(first.texts("others", "at").first == "2026-03-02T09:00:00Z")
            #expect(first.texts("others", "source") == ["automatic", "automatic", "missing"])
            #expect(
                first.texts("others", "minutes").last == "95"
                    && first.texts("others", "day").last == "2026-03-01")
            #expect(first.texts("others", "final").last == "true")
            let second = try await b.sync(cursor: first.text("cursor"))
            #expect(second.text("others") == "[]")
            try await a.sync(a.event("L", "11:00"))
            let third = try await b.sync(cursor: second.text("cursor"))
            #expect(third.texts("others", "seq") == ["4"])
            #expect(try await a.sync().text("others") == "[]")
            try await world.clock.advance(by: .days(8))
            #expect(try await b.sync().text("others") == "[]")
            #expect(try await b.sync(cursor: second.text("cursor")).texts("others", "seq") == ["4"])
        }
    }

    @Test("an answer has at most 500 others, and has_more says that the next sync should follow")
    func pages() async throws {
        try await FocusWorld.run { world in
            let ada = try await world.member()
            let (a, b, c) = (
                try await world.phone(of: ada), try await world.phone(of: ada), try await world.phone(of: ada)
            )
            try await a.send((0..<500).map { _ in a.event("L", "09:00") })
            try await a.send((0..<100).map { _ in a.event("L", "10:00") })
            try await b.send((0..<450).map { _ in b.event("L", "08:00") })
            var (seen, cursor, pages): ([String], String?, Int) = ([], nil, 0)
            while true {
                let answer = try await c.sync(cursor: cursor)
                seen += zip(answer.texts("others", "device"), answer.texts("others", "seq")).map {
                    "\($0)-\($1)"
                }
                (cursor, pages) = (answer.text("cursor"), pages + 1)
                if answer.text("has_more") == "false" { break }
                #expect(answer.texts("others", "seq").count == 500)
                try #require(pages < 5)
            }
            #expect(pages == 3)
            #expect(seen == (1...600).map { "1-\($0)" } + (1...450).map { "2-\($0)" })
        }
    }

    /// Guard: a sync's cursor names no time before 1970 (`FocusSyncCursor`)
    /// Guard: a cursor that the service cannot have given is refused before anything is taken
    /// (`FocusSyncCursor.isPossible`)
    @Test("an unknown cursor is 410, and nothing of the sync is taken")
    func unknown() async throws {
        try await FocusWorld.run { world in
            let ada = try await world.member()
            let (a, b) = (try await world.phone(of: ada), try await world.phone(of: ada))
            let event = a.event("L", "09:00")
            for cursor in [
                "", "nonsense", "1", "1_x", "1_0_1", "1_0_3-1", "1_0_2-1", "1_0_02-0", "1_99999999999",
                "1_-1", "1_\(Int.min)", "1_\(Int.max)", "1_0_1-\(Int.max)", "1_0_\(Int.max)-0",
            ] {
                let answer = try await a.send([event], cursor: cursor)
                #expect(answer.status == 410 && answer.code == "cursor_expired", "\(cursor): \(answer)")
            }
            #expect(try await a.sync().text("acknowledged") == "0")
            #expect(try await b.sync(cursor: "1_0_1-0").status == 200)
        }
    }
}
