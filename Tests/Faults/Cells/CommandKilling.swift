import DaylyTesting
import Foundation
import Postgres
import ProgramTesting

/// kill -9 of a command of `dayly` at each step of its work. The next run ends what is left, and the tables are those of a run
/// that nothing has interrupted.
struct CommandKilling: Sendable {
    let world: World
    let instance: Instance
    let arguments: [String]
    /// Makes the situation in which there is work to do.
    let before: [SQL]
    /// A part of the statement from which steps count.
    let first: String
    /// A part of the first statement of the command's next job.
    let next: String
    /// A statement that finds a row while there is work to do.
    let left: SQL
    /// Everything that the command has written, but for times and random ids, as rows with a `line`.
    let outcome: SQL

    /// - Returns: what a run writes that nothing interrupts.
    func uninterrupted() async throws -> [String] {
        try await reset()
        return try await finished()
    }

    /// Kills the command at each step, and compares what the next run leaves.
    ///
    /// - Parameter least: the number of steps that there are at least.
    func run(expecting expected: [String], least: Int) async throws {
        var position: (step: Int, moment: Trap.Moment) = (1, .before)
        while let what = try await kill(at: position.step, position.moment) {
            let found = try await finished()
            if found != expected {
                world.broken(
                    "a kill \(position.moment) \(what) changed the outcome: \(Set(found).symmetricDifference(expected))"
                )
            }
            let goesOn = position.moment == .before && what == "COMMIT"
            position = goesOn ? (position.step, .after) : (position.step + 1, .before)
        }
        world.history.tell("killed before each of \(position.step - 1) steps")
        guard position.step > least else {
            throw ProxyError(description: "the command had only \(position.step - 1) steps")
        }
    }

    /// - Returns: the step; nil if the work was done before.
    private func kill(at step: Int, _ moment: Trap.Moment) async throws -> String? {
        try await reset()
        let trap = Trap(step: step, moment, on: [.database], from: first)
        instance.board.set(trap)
        let child = try instance.launch(arguments)
        let task = Task<Void, Never> { _ = try? await child.waitForExit(within: .seconds(60)) }
        let isHeld = try await holds(trap, task)
        instance.board.set(nil)
        try await child.kill9()
        trap.release(.drop)
        await task.value
        guard isHeld, let what = trap.what, !what.contains(next) else { return nil }
        return what
    }

    /// Runs the command until nothing is left to do.
    private func finished() async throws -> [String] {
        // The server may not know yet that a killed process is gone, which still holds its rows.
        try await eventually("the end of the command's work", within: .seconds(30)) { () -> Bool in
            let run = try await instance.run(arguments)
            guard run.status == 0 else { throw ProxyError(description: "the command failed: \(run)") }
            return try await world.database.client.first(left) == nil
        }
        return try await world.database.client.query(outcome).map { try $0.get("line") }
    }

    private func reset() async throws {
        for statement in before { try await world.database.client.execute(statement) }
    }
}
