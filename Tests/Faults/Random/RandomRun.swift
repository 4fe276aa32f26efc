import DaylyTesting
import Foundation
import ProgramTesting
import PushTesting

/// Many clients that do all that clients do, on several instances, while dependencies fail and processes are killed.
package struct RandomRun: Sendable {
    /// The outcome.
    package struct Report: Sendable {
        package var findings: [Finding] = []
        package var calls = 0
        package var accepted = 0
        package var lost = 0
        package var unavailable = 0
        package var kills = 0
        package var faults = 0

        package var summary: String {
            """
            \(calls) calls, \(accepted) photos accepted, \(lost) answers lost, \(unavailable) times 503, \
            \(kills) kills, \(faults) faults
            """
        }
    }

    static let groupsPerPerson = 5
    static let membersPerGroup = 12

    let plan: RandomPlan
    private let groupCount: Int

    /// - Parameter groups: of twelve each; every person is in five.
    package init(_ plan: RandomPlan, groups: Int = 15) {
        self.plan = plan
        groupCount = groups
    }

    package func run(progress: @escaping @Sendable (String) -> Void = { _ in }) async throws -> Report {
        let settings = [
            // Longer than any run.
            "auth.access_token_lifetime": "6h",
            "photos.lifetime": "25s", "photos.url_lifetime": "10s", "photos.sweep_interval": "2s",
            "sms.limits.per_minute": "1000000", "sms.limits.per_day": "1000000",
        ]
        return try await World.run(pushes: true, settings) { world in
            let servers = try await Servers.start(plan.instances, in: world)
            let crowd = try await Crowd.gather(in: world, groups: groupCount, servers: servers)
            progress("\(crowd.seats.count) memberships")
            let faults = Counter()
            for (index, instance) in servers.all.enumerated() { misbehave(instance, index, faults) }
            world.providers?.apns.record.answer(mishaps(faults))
            try await play(crowd, servers, progress)
            await servers.finish()
            for instance in servers.all { instance.board.follow(nil) }
            return try await report(world, servers, faults: faults.value)
        }
    }

    private func misbehave(_ instance: Instance, _ index: Int, _ faults: Counter) {
        let (plan, requests) = (plan, Counter())
        instance.board.follow { passing in
            let fault = plan.fault(instance: index, request: requests.increment(), passing)
            if fault != .none { faults.increment() }
            return fault
        }
    }

    /// Apple's answer to the n-th message.
    private func mishaps(_ faults: Counter) -> PushRecord.Script {
        let (plan, messages) = (plan, Counter())
        return { _ in
            let answer = plan.answer(message: messages.increment())
            if case .accept = answer { return answer }
            faults.increment()
            return answer
        }
    }

    /// Every membership takes the next upload when it has done with its last.
    private func play(
        _ crowd: Crowd, _ servers: Servers, _ progress: @escaping @Sendable (String) -> Void
    ) async throws {
        let next = Counter(-1)
        let plan = plan
        let gate = Gate(places: 10)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for seat in crowd.seats {
                group.addTask {
                    let player = Player(seat: seat, crowd: crowd, servers: servers, gate: gate)
                    var day = 0
                    while true {
                        let number = next.increment()
                        guard number < plan.uploads else { return }
                        for index in plan.killed(at: number) { servers.kill(index) }
                        if number % 500 == 499 { progress("\(number + 1) uploads begun") }
                        try await player.play(plan.turn(number), day: day)
                        day += 1
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    private func report(_ world: World, _ servers: Servers, faults: Int) async throws -> Report {
        var rules = Checker.Rules()
        rules.groupsPerUser = Self.groupsPerPerson
        rules.membersPerGroup = Self.membersPerGroup
        rules.urlLifetime = 10
        // A recipient whose delivery was not recorded because of a kill, and who had left when the message was due again,
        // gets it again after coming back. The device puts it in the place of the first.
        rules.messagesPerDay = 2
        var report = Report()
        report.findings = try await world.settle(rules)
        let entries = world.history.entries
        report.calls = entries.count
        report.lost = entries.count { $0.answer == .lost }
        report.unavailable = entries.count { $0.answer.status == 503 }
        report.accepted =
            Set(
                Checker(entries: entries).accepted.map(\.photo.id)
            ).count
        report.kills = servers.kills.value
        report.faults = faults
        return report
    }
}

/// Several instances of the service. A killed one is started again at once.
final class Servers: Sendable {
    let all: [Instance]
    let kills = Counter()
    private let restarts = Noted<[Int: Task<Void, Never>]>([:])

    private init(_ all: [Instance]) { self.all = all }

    /// Starts so many instances, one after the other: the first makes the keys that all share.
    static func start(_ count: Int, in world: World) async throws -> Servers {
        var instances: [Instance] = []
        for _ in 0..<count {
            let instance = try world.instance()
            try await instance.start()
            instances.append(instance)
        }
        return Servers(instances)
    }

    /// Any of them.
    var url: String { (all.randomElement() ?? all[0]).url }

    func kill(_ index: Int) {
        kills.increment()
        restarts.change { restarts in
            let before = restarts[index]
            restarts[index] = Task { [all] in
                await before?.value
                for _ in 1...5 {
                    // A start may meet with a fault of its own.
                    if (try? await all[index].restart()) != nil { return }
                }
            }
        }
    }

    func finish() async {
        for task in restarts.value.values { await task.value }
    }
}
