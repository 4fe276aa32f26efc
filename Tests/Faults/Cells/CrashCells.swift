import DaylyTesting
import Foundation
import ProgramTesting

/// kill -9 of PostgreSQL, the whole server, while operations stand still at their steps, and right after others were
/// acknowledged: what a client was told before the crash still holds after it.
struct Crashing: Sendable {
    let stage: Stage
    let operation: Operation
    /// Kills before the steps, and as many after them.
    let rounds: Int

    func run() async throws {
        guard let server = stage.world.server else { throw ProxyError(description: "the server is not ours") }
        // In a long run each step by itself, six times as often.
        let rounds = Conditions.current.isLong ? rounds * 6 : rounds
        let steps = try await countSteps()
        var occasions: [Occasion] = []
        var witness = Witness(stage)
        for moment in Trap.Moment.allCases {
            for round in 0..<rounds {
                var held: [(trap: Trap, task: Task<Void, Never>)] = []
                for step in Self.steps(of: round, among: rounds, steps) {
                    let occasion = try await operation.prepare(stage)
                    occasions.append(occasion)
                    if let caught = try await catchOne(occasion, at: step, moment) { held.append(caught) }
                }
                try await witness.act()
                try await server.kill9()
                for (trap, _) in held { trap.release(.drop) }
                try await server.restart()
                for (_, task) in held { await task.value }
                try await stage.ready()
            }
        }
        stage.world.history.tell("PostgreSQL killed \(2 * rounds) times over \(steps) steps")
        try await witness.finish()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for occasion in occasions { group.addTask { try await occasion.finish() } }
            try await group.waitForAll()
        }
    }

    /// All steps are dealt out to the rounds; where there are more rounds, they begin again with the first step.
    private static func steps(of round: Int, among rounds: Int, _ count: Int) -> [Int] {
        rounds >= count
            ? [round % count + 1] : stride(from: round + 1, through: count, by: rounds).map { $0 }
    }

    private var board: Switchboard { (operation.instance ?? stage.instance).board }

    private func countSteps() async throws -> Int {
        let occasion = try await operation.prepare(stage)
        try await stage.instance.quiesce()
        let counter = Trap(step: .max, .before)
        board.set(counter)
        await occasion.perform()
        board.set(nil)
        try await occasion.finish()
        guard counter.passed > 3 else { throw ProxyError(description: "an operation of few steps is none") }
        return counter.passed
    }

    /// nil where the operation ended before that step.
    private func catchOne(
        _ occasion: Occasion, at step: Int, _ moment: Trap.Moment
    ) async throws -> (trap: Trap, task: Task<Void, Never>)? {
        try await stage.instance.quiesce()
        let trap = Trap(step: step, moment)
        board.set(trap)
        let task = Task { await occasion.perform() }
        let isHeld = try await holds(trap, task)
        board.set(nil)
        return isHeld ? (trap, task) : nil
    }
}

/// Sends a photo, and deletes the one before it, right before each crash; the checker holds the answers against what is
/// seen afterwards.
private struct Witness {
    private let stage: Stage
    private var last: (group: String, photo: String)?
    private var groups: [String] = []

    init(_ stage: Stage) { self.stage = stage }

    mutating func act() async throws {
        let group = try await stage.group()
        groups.append(group)
        let sent = await stage.ada.upload(to: group, key: "witness", at: stage.url)
        guard let photo = sent.photos.first else { throw ProxyError(description: "no photo: \(sent)") }
        if let last { await stage.ada.deletePhoto(last.photo, at: stage.url) }
        last = (group, photo.id)
    }

    func finish() async throws {
        for group in groups { await stage.look(at: group, by: [stage.ben]) }
        guard let last, await stage.ben.feed(last.group, at: stage.url).photos.count == 1 else {
            return stage.world.history.note(
                .broken(invariant: 1, "a photo was lost in a crash of PostgreSQL"))
        }
    }
}

extension Operation {
    /// One `dayly sweep` by an instance of its own, with a photo that is due.
    static func sweep(by sweeper: Instance) -> Operation {
        Operation(instance: sweeper) { stage in
            let group = try await stage.group()
            let sent = await stage.ada.upload(to: group, key: "due", at: stage.url)
            guard let photo = sent.photos.first else { throw ProxyError(description: "no photo: \(sent)") }
            // No PUT is late any more: one deletion is enough.
            try await stage.world.pass(.seconds(300))
            try await stage.deleteForSweeper(photo.id)
            return Occasion {
                _ = try? await sweeper.run("sweep", "--once")
            } finish: {
                await stage.look(at: group, by: [stage.ben])
            }
        }
    }
}

extension Stage {
    /// Waits until the service serves again.
    func ready() async throws {
        try await eventually("the service to be ready again", within: .seconds(30)) {
            (try? await Web.send("GET", url + "/readyz", timeout: .seconds(3)))?.status == 200
        }
    }
}
