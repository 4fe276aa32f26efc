import FocusRules
import Testing

@Suite("Boards")
struct FocusBoardTests {
    /// Guard: equal members share a rank (`boardRanks`)
    @Test(
        "B1: ranks of a board",
        arguments: [
            (
                [("c", 4_094, 3_600), ("a", 4_094, 3_600), ("b", 6_174, 28_800), ("d", 0, 0)],
                "1 b, 2 a, 2 c, 4 d"
            ),
            ([("a", 4_094, 3_600), ("b", 4_094, 3_601)], "1 b, 2 a"),
            ([("b", 0, 0), ("a", 0, 0)], "1 a, 1 b"),
        ] as [([(String, Int, Int)], String)])
    func ranks(members: [(String, Int, Int)], board: String) {
        let ranked = boardRanks(
            members.map { BoardMember(id: $0.0, points: $0.1, longestStreak: $0.2) })
        #expect(ranked.map { "\($0.rank) \($0.member.id)" }.joined(separator: ", ") == board)
    }

    @Test(
        "L1: places that move",
        arguments: [
            (30, .silver, 7, 7), (10, .gold, 2, 2), (4, .silver, 1, 1), (3, .platinum, 0, 0),
            (30, .bronze, 7, 0), (30, .diamond, 0, 7), (40, .silver, 7, 7),
        ] as [(Int, Tier, Int, Int)])
    func moves(seats: Int, tier: Tier, rises: Int, falls: Int) {
        let moves = LeagueMoves(seats: seats, tier: tier)
        #expect(moves.rises == rises)
        #expect(moves.falls == falls)
    }
}
