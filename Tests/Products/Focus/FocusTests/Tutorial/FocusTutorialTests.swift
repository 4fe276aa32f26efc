import DaylyTesting
import Foundation
import HTTPKit
import Testing

@testable import Focus

@Suite("The tutorial of Focus")
struct FocusTutorialTests {
    /// Guard: a cause pays once, and only those pay who are offered the tutorial (`FocusLedgerStore.pay`,
    /// `FocusTutorial.finish`)
    @Test("the tutorial pays five XP and coins once, of eight calls at once too")
    func once() async throws {
        try await FocusWorld.run { world in
            let ada = try await world.member()
            #expect(try await world.call(.get, "now", as: ada).text("tutorial") == "offered")
            let answers = try await withThrowingTaskGroup(of: HTTPAnswer.self) { group in
                for _ in 0..<8 { group.addTask { try await world.call(.post, "tutorial", as: ada) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(Set(answers.map(\.text)) == [#"{"coins":5,"xp":5}"#])
            #expect(try await world.ledger(of: ada) == [5, 5])
            let now = try await world.call(.get, "now", as: ada)
            #expect(now.text("tutorial") == "done" && now.text("xp") == "5" && now.text("coins") == "5")
        }
    }

    /// Guard: a cause pays once, and only those pay who are offered the tutorial (`FocusLedgerStore.pay`,
    /// `FocusTutorial.finish`)
    @Test("a user who is not offered the tutorial gets 404")
    func notOffered() async throws {
        try await FocusWorld.run(settings: { $0.tutorialPercent = 0 }) { world in
            let ada = try await world.member()
            #expect(try await world.call(.post, "tutorial", as: ada).status == 404)
            #expect(try await world.call(.get, "now", as: ada).text("tutorial") == "none")
            #expect(try await world.ledger(of: ada) == [0, 0])
        }
    }
}
