@testable import FocusClient
import ClientFixtures
import FocusAPI
import DaylyAPI
import DaylyClient
import Foundation
import Testing

@Suite("The JSON that the SDK sends")
struct ClientJSONTests {
    @Test("a call that is repeated has the same bytes, since its idempotency key is bound to them")
    func bytes() throws {
        let sessions = try (0..<50).map { _ in
            try ClientJSON.encode(
                FocusNewSession(
                    name: "Read", emoji: "📖", goalMinutes: 25, mode: "block_list", beastMode: true))
        }
        #expect(Set(sessions).count == 1)
    }
}
