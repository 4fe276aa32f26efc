import DaylyTesting
import Foundation
import HTTPTypes
import Testing

@testable import Focus

@Suite("What users of Focus do on purpose, without a profile and in the export")
struct FocusActJoiningTests {
    @Test("without a profile every call is 409")
    func notJoined() async throws {
        try await FocusWorld.run { world in
            let ada = try await world.person()
            let id = UUID().uuidString
            let schedule = #"{"from": "09:00", "to": "10:00", "weekdays": [1], "mode": "block_list"}"#
            let intention = #"{"label": "Videos", "opens": 3, "minutes": 5}"#
            for (method, path, body) in [
                (.get, "sessions", nil), (.post, "sessions", #"{"goal_minutes": 25, "mode": "block_list"}"#),
                (.get, "sessions/\(id)", nil), (.post, "sessions/\(id)/end", "{}"), (.get, "stats", nil),
                (.get, "schedules", nil), (.post, "schedules", schedule), (.put, "schedules/\(id)", schedule),
                (.delete, "schedules/\(id)", nil), (.get, "intentions", nil),
                (.post, "intentions", intention),
                (.put, "intentions/\(id)", intention), (.delete, "intentions/\(id)", nil),
                (.post, "freeze", nil), (.get, "partners", nil), (.delete, "partners/\(id)", nil),
                (.post, "partners/\(id)/accept", nil), (.put, "partners/\(id)", nil),
                (.post, "tutorial", nil),
                (.post, "pro", #"{"signed_transaction": "x"}"#),
            ] as [(HTTPRequest.Method, String, String?)] {
                let answer = try await world.call(method, path, as: ada, body)
                #expect(
                    answer.status == 409 && answer.code == "focus_not_joined", "\(method) \(path): \(answer)")
            }
        }
    }

    @Test("the export has all that users do on purpose, and leaving erases it")
    func export() async throws {
        try await FocusWorld.run { world in
            let (ada, bob) = (try await world.proMember(), try await world.member())
            try await world.befriend(ada, bob)
            _ = try await world.hold(ada, seconds: 300)
            _ = try await world.call(
                .post, "schedules", as: ada,
                #"{"from": "22:00", "to": "06:00", "weekdays": [1, 7], "mode": "block_list"}"#)
            _ = try await world.call(
                .post, "intentions", as: ada, #"{"label": "Videos", "opens": 3, "minutes": 5}"#)
            _ = try await world.call(.post, "freeze", as: ada)
            let export = try await world.postgres.transaction { tx in
                try FocusActExportStore.export(tx, ada.id)
            }
            for (member, count) in [
                ("sessions", 1), ("schedules", 1), ("intentions", 1), ("freezes", 1), ("partners", 1),
                ("ledger", 1),
                ("breaks", 0), ("purchases", 0),
            ] {
                guard case .array(let rows) = export[member] else {
                    Issue.record("\(member) is missing")
                    continue
                }
                #expect(rows.count == count, "\(member)")
            }
            #expect(try await world.call(.delete, "profile", as: ada).status == 204)
            for table in [
                "sessions", "schedules", "intentions", "freezes", "partners", "ledger", "breaks",
                "transactions",
            ] {
                let count = try await world.count(
                    "SELECT count(*) AS count FROM \(identifier: "focus_\(table)")")
                #expect(count == 0, "\(table)")
            }
            #expect(
                try await world.call(.get, "partners", as: bob).json("partner_of")?.elements.isEmpty == true)
        }
    }
}
