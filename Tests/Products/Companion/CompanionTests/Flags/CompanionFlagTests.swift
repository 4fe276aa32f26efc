import DaylyTesting
import Testing

@testable import Companion

@Suite("Feature flags")
struct CompanionFlagTests {
    /// Guard: a flag that is set again is replaced (`CompanionFlagStore.set`)
    @Test("everybody gets the flags by their names, also before joining")
    func list() async throws {
        try await CompanionWorld.run { world in
            let ada = try await world.person()
            #expect(try await world.call(.get, "flags", as: ada).text == #"{"flags":[]}"#)
            for (key, isEnabled) in [("pet.outfit", true), ("diary_2", true), ("pet.outfit", false)] {
                #expect(try await CompanionFeature.setFlag(world.postgres, key, isEnabled: isEnabled))
            }
            let answer = try await world.call(.get, "flags", as: ada)
            #expect(
                answer.text
                    == #"{"flags":[{"enabled":true,"key":"diary_2"},{"enabled":false,"key":"pet.outfit"}]}"#)
            #expect(answer.header("ETag") != nil)
        }
    }

    @Test("names have their bounds", arguments: ["", "Pet", "pet outfit", String(repeating: "a", count: 65)])
    func bounds(name: String) async throws {
        try await CompanionWorld.run { world in
            let isSet = try await CompanionFeature.setFlag(world.postgres, name, isEnabled: true)
            #expect(!isSet)
        }
    }
}
