import DaylyTesting

/// Which instances are killed when, as it follows from a seed.
struct KillPlan: Sendable {
    let seed: UInt64
    let steps: Int
    let kills: Int
    let instances: Int

    /// The instances that are killed when this step begins.
    func killed(at number: Int) -> [Int] {
        // Spread over all but the end: what was interrupted needs a lease's time to come through.
        let span = max(steps * 9 / 10, 1)
        let first = number * kills / span
        let last = min((number + 1) * kills / span, kills)
        return (first..<max(first, last)).map { kill in
            var numbers = SeededNumbers(seed: seed, stream: UInt64(kill) << 8 | 2)
            return Int.random(in: 0..<instances, using: &numbers)
        }
    }
}
