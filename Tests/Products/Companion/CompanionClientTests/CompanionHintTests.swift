@testable import CompanionClient
import DaylyClient
import Foundation
import Testing

@Suite("Companion: hints on the stream of events")
struct CompanionHintTests {
    private func text(_ event: DaylyEvent) -> String? {
        switch event.companion {
        case .day: "day"
        case .pet: "pet"
        case .wallet: "wallet"
        case .everything: "everything"
        case nil: nil
        }
    }

    @Test("an event says what to fetch again of Companion")
    func hints() {
        let hints = ["companion.day", "companion.pet", "companion.wallet", "focus.now", "companion.new"]
            .map { DaylyEvent.hint(name: $0, data: Data("{}".utf8)) }
        #expect(
            (hints + [.hintsMissed, .resync]).map(text)
                == ["day", "pet", "wallet", nil, nil, "everything", "everything"])
    }
}
