import DaylyTesting
import Foundation
import ProgramTesting

/// One occasion for an operation: what carries it out once, and what its client does when the service is back.
struct Occasion: Sendable {
    let perform: @Sendable () async -> Void
    let finish: @Sendable () async throws -> Void
}

/// An operation that is interrupted at each of its steps.
struct Operation: Sendable {
    /// The instance whose requests are its steps; nil: the service's.
    var instance: Instance?
    let prepare: @Sendable (Stage) async throws -> Occasion
}

/// kill -9 at every step of an operation, as the proxies see it: before each request to database, bucket or gateway
/// goes on, and after it was carried out, before its answer is delivered. The steps are counted until the operation
/// comes through untouched. Several occasions stand still at steps of their own when the process is killed.
struct Killing: Sendable {
    let stage: Stage
    let operation: Operation
    /// As many occasions as one user may have requests at a time, since one sender may carry out all of them. Less time
    /// than a PUT's timeout must pass from the first that stands still to the kill.
    private let width = 4

    func run() async throws {
        var occasions: [Occasion] = []
        for moment in Trap.Moment.allCases {
            var step = 1
            while let next = try await killOnce(from: step, moment, &occasions) { step = next }
            guard step > width else { throw ProxyError(description: "an operation of few steps is none") }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for occasion in occasions { group.addTask { try await occasion.finish() } }
            try await group.waitForAll()
        }
    }

    /// - Returns: the step to go on with; nil when there are no more.
    private func killOnce(
        from first: Int, _ moment: Trap.Moment, _ occasions: inout [Occasion]
    ) async throws -> Int? {
        var prepared: [Occasion] = []
        for _ in 0..<width { prepared.append(try await operation.prepare(stage)) }
        var held: [(trap: Trap, task: Task<Void, Never>)] = []
        var isOver = false
        for (index, occasion) in prepared.enumerated() {
            occasions.append(occasion)
            try await stage.instance.quiesce()
            let trap = Trap(step: first + index, moment)
            stage.instance.board.set(trap)
            let task = Task { await occasion.perform() }
            isOver = try await !holds(trap, task)
            stage.instance.board.set(nil)
            guard !isOver else { break }
            held.append((trap, task))
        }
        try await stage.instance.kill9()
        for (trap, task) in held {
            trap.release(.drop)
            await task.value
        }
        try await stage.instance.start()
        if isOver { stage.world.history.tell("killed \(moment) each of \(first + held.count - 1) steps") }
        return isOver ? nil : first + held.count
    }
}

/// Waits until the trap holds a request of the task; false when the task has ended instead.
func holds(_ trap: Trap, _ task: Task<Void, Never>) async throws -> Bool {
    let ended = Counter()
    let watch = Task {
        await task.value
        ended.increment()
    }
    defer { watch.cancel() }
    return try await eventually("a step", within: .seconds(60), every: .milliseconds(2)) {
        if trap.isHeld { return true }
        return ended.value > 0 ? false : nil
    }
}

extension Operation {
    /// After an odd kill the client comes again with the same key, else with another one.
    static let upload = Operation { stage in
        let group = try await stage.group()
        let number = stage.next()
        return Occasion {
            await stage.ada.upload(to: group, key: "first", bytes: number, at: stage.url)
        } finish: {
            let isSame = number % 2 == 1
            _ = try await stage.persist(
                "an upload after a kill", { $0.isSuccess || $0.problem == "already_sent_today" }
            ) {
                await stage.ada.upload(
                    to: group, key: isSame ? "first" : "second", bytes: isSame ? number : number + 1,
                    at: stage.url)
            }
            await stage.look(at: group, by: [stage.ada, stage.ben])
            if await stage.ben.feed(group, at: stage.url).photos.isEmpty {
                stage.world.history.note(.broken(invariant: 2, "a day is used up, and nobody sees its photo"))
            }
        }
    }

    static let redemption = Operation { stage in
        let joiner = stage.stranger()
        try await joiner.signIn(at: stage.url)
        guard let made = try await stage.ada.createGroup(inviting: [joiner], at: stage.url) else {
            throw ProxyError(description: "there is no group")
        }
        return Occasion {
            await joiner.redeem(made.codes[0], of: made.id, at: stage.url)
        } finish: {
            _ = try await stage.persist("a redemption after a kill") {
                await joiner.redeem(made.codes[0], of: made.id, at: stage.url)
            }
            guard await joiner.feed(made.id, at: stage.url).isSuccess else {
                stage.world.history.note(.broken(invariant: 6, "a member was told of joining and is none"))
                return
            }
        }
    }

    static let deletion = Operation { stage in
        let leaver = stage.stranger()
        try await leaver.signIn(at: stage.url)
        let group = try await stage.group(of: leaver)
        _ = try await stage.persist("a photo to delete") {
            await leaver.upload(to: group, key: "last", at: stage.url)
        }
        return Occasion {
            await leaver.deleteAccount(at: stage.url)
        } finish: {
            let (id, number) = (leaver.id, leaver.number)
            _ = try await stage.persist(
                "a deletion after a kill", { $0.isSuccess || $0.status == 401 }
            ) {
                await leaver.deleteAccount(at: stage.url)
            }
            await stage.look(at: group, by: [stage.ben])
            for trace in try await stage.world.traces(of: [id, number]) {
                stage.world.history.note(.broken(invariant: 3, "of a deleted account is left: \(trace)"))
            }
        }
    }
}

/// kill -9 of `dayly sweep` at each of its steps, each with two photos that are due.
struct SweepKilling: Sendable {
    let stage: Stage

    func run() async throws {
        let sweeper = try stage.world.instance()
        for moment in Trap.Moment.allCases {
            var step = 1
            while try await kill(sweeper, at: step, moment) { step += 1 }
            stage.world.history.tell("killed \(moment) each of \(step - 1) steps")
            guard step > 3 else { throw ProxyError(description: "a sweep of \(step) steps is none") }
        }
    }

    /// False when the sweep ended untouched.
    private func kill(_ sweeper: Instance, at step: Int, _ moment: Trap.Moment) async throws -> Bool {
        let group = try await stage.group()
        let sent = await stage.ada.upload(to: group, key: "due", at: stage.url)
        guard let photo = sent.photos.first else { throw ProxyError(description: "no photo: \(sent)") }
        // No PUT is late any more: one deletion is enough.
        try await stage.world.pass(.seconds(300))
        try await stage.deleteForSweeper(photo.id)
        let trap = Trap(step: step, moment)
        sweeper.board.set(trap)
        let child = try sweeper.launch(["sweep", "--once"])
        let task = Task<Void, Never> { _ = try? await child.waitForExit(within: .seconds(60)) }
        let isHeld = try await holds(trap, task)
        sweeper.board.set(nil)
        try await child.kill9()
        trap.release(.drop)
        await task.value
        return isHeld
    }
}
