import DaylyTesting
import PushTesting

/// The plan that follows from a seed: what the n-th upload is like and what its client does besides, which
/// instance is killed when, and which requests to a dependency meet with which fault. The player who is free to make the n-th
/// upload, and how the threads meet, does not follow from it.
package struct RandomPlan: Sendable {
    package let seed: UInt64
    package let uploads: Int
    package let kills: Int
    package let instances: Int

    package init(seed: UInt64, uploads: Int = 2_000, kills: Int = 60, instances: Int = 3) {
        self.seed = seed
        self.uploads = uploads
        self.kills = kills
        self.instances = instances
    }

    /// Actions of a client around one upload.
    struct Turn: Sendable {
        var bytes: Int
        var triesHostileFile = false
        /// At the same time with another key.
        var racesItself = false
        var readsFeed = false
        var fetchesPhoto = false
        var deletesPhoto = false
        var leavesAndReturns = false
        var isRemoved = false
        var refreshes = false
        /// Somebody signs in, sends a photo and deletes the account.
        var bringsVisitor = false
    }

    func turn(_ number: Int) -> Turn {
        var numbers = SeededNumbers(seed: seed, stream: UInt64(number) << 8 | 1)
        return Turn(
            bytes: number + 1, triesHostileFile: numbers.chance(10), racesItself: numbers.chance(50),
            readsFeed: numbers.chance(300), fetchesPhoto: numbers.chance(150),
            deletesPhoto: numbers.chance(40), leavesAndReturns: numbers.chance(15),
            isRemoved: numbers.chance(10), refreshes: numbers.chance(20), bringsVisitor: numbers.chance(8))
    }

    /// Which instances are killed when this upload begins.
    func killed(at number: Int) -> [Int] {
        KillPlan(seed: seed, steps: uploads, kills: kills, instances: instances).killed(at: number)
    }

    /// The fate of the n-th message to an iPhone.
    func answer(message: Int) -> PushAnswer {
        var numbers = SeededNumbers(seed: seed, stream: UInt64(message) << 8 | 4)
        guard numbers.chance(100) else { return .accept }
        return numbers.chance(500) ? .close : .refuse(503, reason: "ServiceUnavailable")
    }

    /// The fault of the n-th request of an instance to one of its dependencies.
    func fault(instance: Int, request: Int, _ passing: Passing) -> Fault {
        var numbers = SeededNumbers(seed: seed, stream: UInt64(request) << 16 | UInt64(instance) << 8 | 3)
        let isPut = passing.what.hasPrefix("PUT ")
        switch passing.link {
        case .database:
            guard numbers.chance(2) else { return .none }
            let faults: [Fault] = [.reset, .replyLost, .delay(.milliseconds(300))]
            return faults.randomElement(using: &numbers) ?? .none
        case .store:
            guard numbers.chance(25) else { return .none }
            let faults: [Fault] = [
                .reset, .replyLost, .status(500, xml: true), .status(503, xml: false),
                .delay(.milliseconds(500)), isPut ? .keptNothing : .reset, .late(.seconds(7)), .hang,
            ]
            return faults.randomElement(using: &numbers) ?? .none
        case .pushes:
            guard numbers.chance(100) else { return .none }
            let faults: [Fault] = [
                .reset, .replyLost, .status(503, xml: false), .delay(.seconds(1)), .late(.seconds(3)),
            ]
            return faults.randomElement(using: &numbers) ?? .none
        case .messages:
            guard numbers.chance(50) else { return .none }
            let faults: [Fault] = [.reset, .replyLost, .status(503, xml: false), .delay(.seconds(1))]
            return faults.randomElement(using: &numbers) ?? .none
        }
    }
}
