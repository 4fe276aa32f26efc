import DaylyTesting

/// The plan that follows from a seed: the n-th operation, how its client repeats it, and which instance is killed when. The
/// person who is free for the n-th operation, and how the threads meet, does not follow from it.
package struct CompanionPlan: Sendable {
    package let seed: UInt64
    package let operations: Int
    package let kills: Int
    let people = 40
    let instances = 3

    package init(seed: UInt64, operations: Int = 2_000, kills: Int = 5) {
        (self.seed, self.operations, self.kills) = (seed, operations, kills)
    }

    enum Deed: Sendable, CaseIterable {
        case feed, feedTwice, recover, dress, buyCosmetic, buyGems, takeGemsBack, takeBackUnknown, endDay,
            repeatOld,
            look

        /// How many of a thousand operations are of this kind.
        var share: Int {
            switch self {
            case .feed: 420
            case .endDay: 100
            case .buyCosmetic, .repeatOld: 100
            case .look, .recover: 70
            case .feedTwice, .dress, .buyGems: 40
            case .takeGemsBack: 15
            case .takeBackUnknown: 5
            }
        }
    }

    /// An operation.
    struct Turn: Sendable {
        let number: Int
        let deed: Deed
        /// The client sends the call twice at once.
        let isTwin: Bool
        /// The client sends the call again once it is answered.
        let isRepeated: Bool
        /// The client sends other bytes under the same key.
        let isConflicting: Bool
        /// A choice between things.
        let choice: Int
    }

    func turn(_ number: Int) -> Turn {
        var numbers = SeededNumbers(seed: seed, stream: UInt64(number) << 8 | 1)
        return Turn(
            number: number, deed: deed(Int.random(in: 0..<1_000, using: &numbers)),
            isTwin: numbers.chance(200), isRepeated: numbers.chance(100),
            isConflicting: numbers.chance(50), choice: Int.random(in: 0..<1_000_000, using: &numbers))
    }

    private func deed(_ place: Int) -> Deed {
        var end = 0
        return Deed.allCases.first { deed in
            end += deed.share
            return place < end
        } ?? .look
    }

    func killed(at number: Int) -> [Int] {
        KillPlan(seed: seed, steps: operations, kills: kills, instances: instances).killed(at: number)
    }
}
