import DaylyTesting
import DeviceIntake
import FocusRules
import Testing

@Suite("The rules of Focus and an oracle")
struct FocusOracleTests {
    private static let histories = 10_000
    private static let parts = 4

    /// Guard: a late event makes all later events fold again, from a checkpoint (`StreakHistory.firstDay`,
    /// `FoldedStreaks.replacedFrom`)
    @Test(
        "an oracle that was written from the contract comes to the same times, streaks, days, lives and intentions",
        arguments: 0..<parts)
    func agrees(part: Int) async throws {
        let count = Self.histories / Self.parts
        let oracle = try await Shell.run(
            "python3 Tests/Products/Focus/Oracle/histories.py \(count) \(part * count)")
        try #require(oracle.status == 0)
        var lines = OracleLines(oracle.output)
        var (compared, different, streaks) = (0, 0, 0)
        while let history = try lines.nextHistory() {
            compared += 1
            streaks += history.streaks
            guard !history.differences.isEmpty else { continue }
            different += 1
            // A few histories suffice to find a mistake.
            if different <= 3 {
                Issue.record("history \(history.number): \(history.differences.joined(separator: "; "))")
            }
        }
        #expect(compared == count)
        #expect(different == 0)
        #expect(streaks > count)
    }
}
