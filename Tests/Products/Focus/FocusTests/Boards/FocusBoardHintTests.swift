import DaylyTesting
import FeatureKit
import Foundation
import Postgres
import Testing

@testable import Focus

@Suite("Hints of Focus")
struct FocusBoardHintTests {
    @Test("when a week closes, each board sends one hint to the members who take part in Focus")
    func close() async throws {
        try await FocusWorld.run { world in
            let (ada, bob) = (try await world.member(name: "Ada"), try await world.member(name: "Bob"))
            let hidden = try await world.member(#"{"consent": "1", "boards": false}"#, name: "Cyd")
            let zoe = try await world.person(name: "Zoe")
            let family = try await world.group(of: [ada.id, bob.id, hidden.id, zoe.id])
            let own = try await world.group(of: [bob.id])
            for people in [[zoe.id], [hidden.id]] { _ = try await world.group(of: people) }
            try await world.set("2026-03-09T17:00:00Z")
            let heard = HeardHints(world.postgres)
            #expect(try await world.feature.close.runOnce().boards == 4)
            let hints = heard.take().filter { $0.data.contains("2026-03-02") }
            for (group, users) in [(family, [ada.id, bob.id, hidden.id]), (own, [bob.id])] {
                let sent = hints.filter { $0.topic == "focus.board.\(group.resourceID)" }
                #expect(sent.count == 1 && sent.first?.interval == .seconds(30))
                #expect(Set(sent.first?.users ?? []) == Set(users))
                #expect(sent.first?.data == #"{"group_id":"\#(group.resourceID)","week":"2026-03-02"}"#)
            }
            #expect(hints.count == 2)
            _ = try await world.feature.close.runOnce()
            #expect(heard.take().isEmpty)
        }
    }

    /// Guard: a report that changes nothing sends no hint (`FocusDeviceService.signal`)
    @Test("a phone's report sends a hint when it changes something, and to boards when it changes the status")
    func reports() async throws {
        try await FocusWorld.run { world in
            let (ada, bob) = (try await world.member(name: "Ada"), try await world.member(name: "Bob"))
            let group = try await world.group(of: [ada.id, bob.id])
            let heard = HeardHints(world.postgres)
            let phone = try await world.phone(of: ada)
            let made = heard.take()
            #expect(made.map(\.name) == ["focus.board", "focus.now"])
            #expect(Set(made.first?.users ?? []) == [ada.id, bob.id] && made.last?.users == [ada.id])
            #expect(made.first?.data == #"{"group_id":"\#(group.resourceID)","week":"2026-03-02"}"#)
            try await phone.report(#""platform": "android", "setup": "verified""#)
            #expect(heard.take() == [])
            try await phone.report(#""platform": "android", "setup": "in_progress""#)
            #expect(heard.take().map(\.name) == ["focus.now"])
            for expected in [["focus.board", "focus.now"], []] {
                try await phone.report(#""platform": "android", "status": "broken""#)
                #expect(heard.take().map(\.name) == expected)
            }
            _ = try await world.call(.put, "profile", as: ada, #"{"consent": "1", "boards": false}"#)
            _ = heard.take()
            _ = try await world.call(.delete, "devices/\(phone.id)", as: ada)
            #expect(heard.take().map(\.name) == ["focus.now"])
        }
    }
}
