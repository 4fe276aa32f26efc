import DaylyTesting
import Testing

@Suite("The rules of Companion and an oracle")
struct CompanionOracleTests {
    private static let histories = 10_000
    private static let parts = 4

    @Test(
        "an oracle that was written from the contract comes to the same days, figures, texts, energy and pets",
        arguments: 0..<parts)
    func agrees(part: Int) async throws {
        let count = Self.histories / Self.parts
        let oracle = try await Shell.run(
            "python3 Tests/Products/Companion/Oracle/companion_histories.py \(count) \(part * count)")
        try #require(oracle.status == 0)
        var lines = CompanionOracleLines(oracle.output)
        var (compared, different, texts) = (0, 0, 0)
        while let history = lines.nextHistory() {
            compared += 1
            texts += history.account.found.count
            guard !history.differences.isEmpty else { continue }
            different += 1
            // A few histories suffice to find a mistake.
            if different <= 3 {
                Issue.record("history \(history.number): \(history.differences.joined(separator: "; "))")
            }
        }
        #expect(compared == count)
        #expect(different == 0)
        #expect(texts > count)
    }
}
