import DaylyTesting
import Foundation
import ProgramTesting
import Synchronization

/// Two operations that meet: the first stands still before each of its steps while the second runs, on another
/// instance, to its end or until it waits for the first.
struct Meeting: Sendable {
    struct Scene: Sendable {
        let first: @Sendable () async -> Void
        let second: @Sendable () async -> Void
        /// Judges what came of it; told whether the second ended while the first stood still.
        var finish: @Sendable (_ cameBetween: Bool) async throws -> Void = { _ in }
    }

    let stage: Stage
    /// Where the first one runs.
    let board: Switchboard
    let prepare: @Sendable () async throws -> Scene

    func run() async throws {
        var step = 1
        while try await meet(at: step) { step += 1 }
        stage.world.history.tell("met before each of \(step - 1) steps")
        guard step > 3 else { throw ProxyError(description: "an operation of \(step) steps is none") }
    }

    private func meet(at step: Int) async throws -> Bool {
        let scene = try await prepare()
        try await stage.instance.quiesce(for: .milliseconds(15))
        let trap = Trap(step: step, .before)
        board.set(trap)
        let (firstEnded, secondEnded) = (Counter(), Counter())
        let first = Task {
            await scene.first()
            firstEnded.increment()
        }
        let isHeld = try await holds(trap, first)
        board.set(nil)
        let second = Task {
            await scene.second()
            secondEnded.increment()
        }
        try? await eventually("the second", within: .milliseconds(500), every: .milliseconds(5)) {
            secondEnded.value > 0
        }
        // The trap may have caught a statement of a job. Then the first is not held, and ends by itself.
        if secondEnded.value > 0 {
            try? await eventually("the first", within: .milliseconds(100), every: .milliseconds(5)) {
                firstEnded.value > 0
            }
        }
        let cameBetween = isHeld && secondEnded.value > 0 && firstEnded.value == 0
        trap.release(.pass)
        await first.value
        await second.value
        try await scene.finish(cameBetween)
        return isHeld
    }
}

/// Pairs of operations that meet.
enum Meetings {
    /// Two files for one day.
    static func uploads(_ stage: Stage, sameKey: Bool) async throws {
        let other = try await stage.another()
        try await Meeting(stage: stage, board: stage.instance.board) {
            let group = try await stage.group()
            // The second day: on the first one the slot's row is new, which holds others up by itself.
            await stage.ada.upload(to: group, key: "before", bytes: 3, day: -1, at: stage.url)
            try await stage.world.passDay(of: stage.ada.id, in: group)
            let last = sameKey ? "first" : "second"
            return Meeting.Scene {
                await stage.ada.upload(to: group, key: "first", bytes: 1, at: stage.url)
            } second: {
                await stage.ada.upload(to: group, key: last, bytes: sameKey ? 1 : 2, at: other.url)
            } finish: { _ in
                _ = try await stage.persist(
                    "one of two uploads", { $0.isSuccess || $0.problem == "already_sent_today" }
                ) {
                    await stage.ada.upload(to: group, key: last, bytes: sameKey ? 1 : 2, at: other.url)
                }
                await stage.look(at: group, by: [stage.ben])
            }
        }.run()
    }

    /// The sender is taken out of the group, or goes altogether, in the middle of an upload.
    static func departure(_ stage: Stage, ofAccount: Bool) async throws {
        let other = try await stage.another()
        try await Meeting(stage: stage, board: stage.instance.board) {
            let sender = stage.stranger()
            try await sender.signIn(at: stage.url)
            let group = try await stage.group(of: sender)
            let (accepted, left) = (Noted(false), Noted(false))
            return Meeting.Scene {
                let answer = await sender.upload(to: group, key: "first", at: stage.url)
                accepted.value = answer.isSuccess
            } second: {
                let state = try? await stage.world.upload(of: sender.id, in: group)
                let answer =
                    ofAccount
                    ? await sender.deleteAccount(at: other.url)
                    : await stage.ben.remove(sender.id, from: group, at: other.url)
                left.value = answer.isSuccess && state != .live
            } finish: { cameBetween in
                if cameBetween, left.value, accepted.value {
                    stage.world.history.note(
                        .broken(invariant: 4, "a photo was accepted from somebody who had left"))
                }
            }
        }.run()
    }

    /// The lease of an upload runs out in the middle of it, and a sweeper comes by.
    static func lateness(_ stage: Stage) async throws {
        let sweeper = try stage.world.instance()
        try await Meeting(stage: stage, board: stage.instance.board) {
            let group = try await stage.group()
            let (accepted, late) = (Noted(false), Noted(false))
            return Meeting.Scene {
                let answer = await stage.ada.upload(to: group, key: "first", at: stage.url)
                accepted.value = answer.isSuccess
            } second: {
                let state = try? await stage.world.upload(of: stage.ada.id, in: group)
                try? await stage.world.pass(.seconds(31))
                late.value = state == .pending
            } finish: { cameBetween in
                if cameBetween, late.value, accepted.value {
                    stage.world.history.note(
                        .broken(invariant: 2, "an upload was accepted when its lease was over"))
                }
                try await sweeper.run("sweep", "--once")
                _ = try await stage.persist("an upload whose lease ran out") {
                    await stage.ada.upload(to: group, key: "first", at: stage.url)
                }
                await stage.look(at: group, by: [stage.ben])
            }
        }.run()
    }

    /// Two people and the last seat.
    static func seats(_ stage: Stage) async throws {
        let other = try await stage.another()
        try await Meeting(stage: stage, board: stage.instance.board) {
            let (cyd, dan) = (stage.stranger(), stage.stranger())
            try await cyd.signIn(at: stage.url)
            try await dan.signIn(at: stage.url)
            guard let made = try await stage.ada.createGroup(inviting: [cyd], at: stage.url),
                let code = await stage.ada.invite(dan, to: made.id, at: stage.url).code
            else { throw ProxyError(description: "there is no group") }
            return Meeting.Scene {
                await cyd.redeem(made.codes[0], of: made.id, at: stage.url)
            } second: {
                await dan.redeem(code, of: made.id, at: other.url)
            }
        }.run()
    }

    /// One person and the last group that he may be in.
    static func lastGroups(_ stage: Stage) async throws {
        let other = try await stage.another()
        try await Meeting(stage: stage, board: stage.instance.board) {
            let (cyd, dan, eve) = (stage.stranger(), stage.stranger(), stage.stranger())
            for person in [cyd, dan, eve] { try await person.signIn(at: stage.url) }
            guard let first = try await dan.createGroup(inviting: [cyd], at: stage.url),
                let second = try await eve.createGroup(inviting: [cyd], at: stage.url)
            else { throw ProxyError(description: "there is no group") }
            return Meeting.Scene {
                await cyd.redeem(first.codes[0], of: first.id, at: stage.url)
            } second: {
                await cyd.redeem(second.codes[0], of: second.id, at: other.url)
            }
        }.run()
    }

    /// One code, twice.
    static func codes(_ stage: Stage) async throws {
        let other = try await stage.another()
        try await Meeting(stage: stage, board: stage.instance.board) {
            let cyd = stage.stranger()
            guard let (verification, code) = try await cyd.requestCode(at: stage.url) else {
                throw ProxyError(description: "there is no code")
            }
            return Meeting.Scene {
                await cyd.verify(verification, code, at: stage.url)
            } second: {
                await cyd.verify(verification, code, at: other.url)
            }
        }.run()
    }

    /// One refresh token, twice, and once more.
    static func refreshes(_ stage: Stage) async throws {
        let other = try await stage.another()
        try await Meeting(stage: stage, board: stage.instance.board) {
            let cyd = stage.stranger()
            try await cyd.signIn(at: stage.url)
            let parent = cyd.refreshToken
            return Meeting.Scene {
                await cyd.refresh(parent, at: stage.url)
            } second: {
                await cyd.refresh(parent, at: other.url)
            } finish: { _ in
                let again = await cyd.refresh(parent, at: stage.url)
                if !again.isSuccess {
                    stage.world.history.note(
                        .broken(invariant: 7, "a repeated refresh token ended the session: \(again)"))
                }
            }
        }.run()
    }

    /// Two sweepers at the same photo: each object is deleted by one of them.
    static func sweepers(_ stage: Stage) async throws {
        let (one, two) = (try stage.world.instance(), try stage.world.instance())
        let requests = Counter()
        for sweeper in [one, two] {
            sweeper.board.watch { passing in
                if passing.link == .store, passing.what.hasPrefix("POST ") { requests.increment() }
            }
        }
        try await Meeting(stage: stage, board: one.board) {
            let group = try await stage.group()
            let sent = await stage.ada.upload(to: group, key: "due", at: stage.url)
            guard let photo = sent.photos.first else { throw ProxyError(description: "no photo: \(sent)") }
            // No PUT is late any more: one deletion is enough.
            try await stage.world.pass(.seconds(300))
            try await stage.deleteForSweeper(photo.id)
            let counts = Counter()
            let before = requests.value
            let sweep: @Sendable (Instance) async -> Void = { sweeper in
                guard let result = try? await sweeper.run("sweep", "--once", "--json") else { return }
                for _ in 0..<(result.count(of: "deleted_objects") ?? 100) { counts.increment() }
            }
            return Meeting.Scene {
                await sweep(one)
            } second: {
                await sweep(two)
            } finish: { _ in
                if requests.value - before != 1 {
                    stage.world.history.note(
                        .broken(invariant: 3, "two sweepers were at the same objects at once"))
                }
                if counts.value != 2 {
                    stage.world.history.note(
                        .broken(
                            invariant: 3, "two sweepers deleted \(counts.value) objects, and there were 2"))
                }
            }
        }.run()
    }
}

/// A value that one task writes and another reads later.
final class Noted<Value: Sendable>: Sendable {
    private let kept: Mutex<Value>

    init(_ value: Value) { kept = Mutex(value) }

    var value: Value {
        get { kept.withLock { $0 } }
        set { kept.withLock { $0 = newValue } }
    }

    func change(_ body: (inout sending Value) -> Void) { kept.withLock { body(&$0) } }
}

extension CommandResult {
    /// A number in the last object of JSON that it printed, or among its counts.
    func count(of name: String) -> Int? {
        let last = output.split(separator: "\n").last { $0.hasPrefix("{") } ?? ""
        let object = try? JSONSerialization.jsonObject(with: Data(last.utf8)) as? [String: Any]
        let counts = object?["counts"] as? [String: Any]
        return (object?[name] ?? counts?[name]) as? Int
    }
}
