import DaylyTesting
import Foundation
import ProgramTesting
import PushTesting

/// Every other member of the group gets one message about the first photo of the day.
struct News: Sendable {
    let stage: Stage
    let providers: Providers

    init(_ stage: Stage) throws {
        guard let providers = stage.world.providers else {
            throw ProxyError(description: "a world without push services")
        }
        (self.stage, self.providers) = (stage, providers)
    }

    /// Two photos at once, on two instances.
    func meet() async throws {
        let other = try await stage.another()
        let cyd = stage.stranger()
        try await cyd.signIn(at: stage.url)
        try await stage.ben.registerDevices(at: stage.url)
        try await Meeting(stage: stage, board: stage.instance.board) {
            guard let made = try await stage.ada.createGroup(inviting: [stage.ben, cyd], at: stage.url),
                await stage.ben.redeem(made.codes[0], of: made.id, at: stage.url).isSuccess,
                await cyd.redeem(made.codes[1], of: made.id, at: stage.url).isSuccess
            else { throw ProxyError(description: "there is no group") }
            return Meeting.Scene {
                await stage.ada.upload(to: made.id, key: "first", at: stage.url)
                await told(of: made.id)
            } second: {
                await cyd.upload(to: made.id, key: "first", at: other.url)
            } finish: { _ in
                try await expectTold(of: made.id)
                try await stage.world.awaitNews()
            }
        }.run()
    }

    /// kill -9 at each step of telling.
    func kill() async throws {
        try await stage.ben.registerDevices(at: stage.url)
        // Telling begins before the sender has the answer, now more of it and now less.
        var first = try await stepsOfUpload()
        for _ in 0..<2 { first = min(first, try await stepsOfUpload()) }
        var steps: [String] = []
        while let step = try await kill(at: first + steps.count) { steps.append(step) }
        stage.world.history.tell("killed before each of \(steps.count) steps")
        guard steps.contains(where: { $0.contains("outbox") }) else {
            throw ProxyError(description: "nobody was killed while telling: \(steps)")
        }
    }

    /// As many as have passed when the sender has the answer.
    private func stepsOfUpload() async throws -> Int {
        let group = try await stage.group()
        try await stage.instance.quiesce()
        let trap = Trap(step: .max, .before)
        stage.instance.board.set(trap)
        await stage.ada.upload(to: group, key: "first", at: stage.url)
        stage.instance.board.set(nil)
        try await expectTold(of: group)
        return max(1, trap.passed - 4)
    }

    /// - Returns: before what it was killed; nil when all came through untouched.
    private func kill(at step: Int) async throws -> String? {
        let group = try await stage.group()
        try await stage.instance.quiesce()
        let trap = Trap(step: step, .before)
        stage.instance.board.set(trap)
        let task = Task {
            await stage.ada.upload(to: group, key: "first", at: stage.url)
            await told(of: group)
            try? await stage.world.awaitNews()
        }
        let isHeld = try await holds(trap, task)
        stage.instance.board.set(nil)
        guard isHeld else { return nil }
        try await stage.instance.kill9()
        trap.release(.drop)
        task.cancel()
        await task.value
        // The worker looks for due rows as it starts.
        try await stage.world.endLeasesOfNews()
        try await stage.instance.start()
        if try await stage.world.upload(of: stage.ada.id, in: group) == .pending {
            try await stage.world.pass(.seconds(31))
        }
        _ = try await stage.persist("an upload after a kill") {
            await stage.ada.upload(to: group, key: "first", at: stage.url)
        }
        try await expectTold(of: group)
        return trap.what ?? ""
    }

    private func told(of group: String) async {
        try? await eventually("the news", within: .seconds(10), every: .milliseconds(5)) { () -> Bool in
            if Task.isCancelled { throw CancellationError() }
            return providers.haveTold(stage.ben, of: group)
        }
    }

    private func expectTold(of group: String) async throws {
        do {
            try await eventually("the news", within: .seconds(30), every: .milliseconds(20)) { () -> Bool in
                // The killed process still holds a lease.
                try await stage.world.endLeasesOfNews()
                return providers.haveTold(stage.ben, of: group)
            }
        } catch is TimedOut {
            stage.world.history.note(.broken(invariant: 8, "a member does not hear of a photo in \(group)"))
        }
    }
}
