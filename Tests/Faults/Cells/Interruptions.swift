import DaylyTesting
import Foundation
import ProgramTesting

/// An act, interrupted at each of its steps by kill -9 of the service and by a broken connection to the database. Each time
/// everybody repeats the act until it is done.
struct Interruptions<Act: InterruptedAct>: Sendable {
    let stage: Act.Stage
    let act: Act
    private var board: Switchboard { stage.instance.board }

    init(stage: Act.Stage, act: Act) {
        (self.stage, self.act) = (stage, act)
    }

    func run() async throws {
        // The first act makes what is missing in a new database.
        try await begin(stage.people)
        try await finish(stage.people)
        var position: Position? = Position()
        while let next = position { position = try await killOnce(from: next) }
        for fault in [Fault.reset, .replyLost] { try await cut(fault) }
        try await act.check(stage)
    }

    /// Where the next person's act is held: before a step, and after each COMMIT too.
    private struct Position {
        var step = 1
        var moment = Trap.Moment.before

        mutating func advance(past what: String?) {
            if moment == .before, what == "COMMIT" {
                moment = .after
            } else {
                (step, moment) = (step + 1, .before)
            }
        }
    }

    /// Holds the acts of different people at different steps, and kills the service.
    ///
    /// - Returns: the place to go on with; nil when there are no more.
    private func killOnce(from first: Position) async throws -> Position? {
        var (held, position, misses) = ([(trap: Trap, task: Task<Void, Never>)](), first, 0)
        for person in stage.people where misses < Self.missesAtEnd {
            try await begin([person])
            try await stage.instance.quiesce(for: .milliseconds(10))
            let number = person.acts
            let trap = Trap(step: position.step, position.moment, on: [.database])
            board.set(trap)
            let task = Task { _ = await act.perform(stage, person, number) }
            let isHeld = try await holds(trap, task)
            board.set(nil)
            misses = isHeld ? 0 : misses + 1
            guard isHeld else { continue }
            held.append((trap, task))
            position.advance(past: trap.what)
        }
        try await stage.instance.kill9()
        for (trap, task) in held {
            trap.release(.drop)
            await task.value
        }
        try await stage.instance.start()
        try await finish(stage.people)
        guard misses == Self.missesAtEnd else { return position }
        guard position.step > 8 else {
            throw ProxyError(description: "the act had only \(position.step - 1) steps")
        }
        stage.world.history.tell("killed before each of \(position.step - 1) steps")
        return nil
    }

    /// Breaks the connection to the database at each step.
    private func cut(_ fault: Fault) async throws {
        var (step, turn, misses) = (1, 0, 0)
        while misses < Self.missesAtEnd {
            turn += 1
            let person = stage.people[turn % stage.people.count]
            try await begin([person])
            try await stage.instance.quiesce(for: .milliseconds(5))
            let trap = Trap(step: step, .before, .fault(fault), on: [.database])
            board.set(trap)
            _ = await act.perform(stage, person, person.acts)
            board.set(nil)
            try await finish([person])
            (step, misses) = trap.what == nil ? (step, misses + 1) : (step + 1, 0)
        }
        stage.world.history.tell("\(fault) at each of \(step - 1) steps")
    }

    /// An act that ends before its step has fewer steps, or a job of the service has done a part of it. So a second act decides.
    private static var missesAtEnd: Int { 2 }

    /// Begins another act of each person.
    private func begin(_ people: [Act.Stage.Person]) async throws {
        try await act.prepare(stage, people)
        people.forEach { $0.beginAct() }
    }

    /// Repeats the last act of each person until it is done.
    private func finish(_ people: [Act.Stage.Person]) async throws {
        _ = try await atOnce(people.count) { (index: Int) -> Void in
            try await eventually("an act that is repeated", within: .seconds(60), every: .milliseconds(50)) {
                await act.perform(stage, people[index], people[index].acts)
            }
        }
    }
}
