import DaylyTesting
import Foundation
import ProgramTesting

/// People who send, look, delete, leave, come back and follow streams at a load balancer, while somebody else breaks what is
/// behind it. The rules are those of the other cells.
package struct ClusterRun: Sendable {
    /// How the run and the program that breaks things keep step: each tells the other where it is.
    package struct Steps: Sendable {
        let tell: @Sendable (String) -> Void
        let await: @Sendable () async -> String

        /// - Parameters:
        ///   - tell: gets `ready`, `played`, `rested` and `sweep`.
        ///   - await: waits for the answer.
        package init(
            tell: @escaping @Sendable (String) -> Void, await: @escaping @Sendable () async -> String
        ) {
            self.tell = tell
            self.await = `await`
        }

        func reach(_ step: String) async -> String {
            tell(step)
            return await self.await()
        }
    }

    static let membersPerGroup = 12
    static let groupsPerPerson = 5

    let plan: ClusterPlan

    package init(_ plan: ClusterPlan) { self.plan = plan }

    package func run(_ steps: Steps) async throws -> ClusterReport {
        let bucket = try plan.configuration()
        return try await World.visit(database: plan.databaseURL, bucket: bucket) { world in
            let board = Switchboard()
            let inbox = world.inbox
            let messages = try HTTPProxy(.messages, everywhere: plan.messagesPort, board: board) {
                { inbox.answer($0) }
            }
            defer { withExtendedLifetime(messages) {} }
            let seats = try await gather(in: world)
            let people = Dictionary(grouping: seats, by: \.person.id).compactMap(\.value.first?.person)
            let followers = (0..<plan.streams).map { StreamFollower(people[$0 % people.count], at: plan.url) }
            let operations = Operations(retries: plan.retries)
            let following = Task {
                await withDiscardingTaskGroup { group in
                    for follower in followers { group.addTask { await follower.follow() } }
                }
            }
            defer { following.cancel() }
            try await eventually("all streams", within: .seconds(60)) { followers.allSatisfy(\.hasBegun) }
            try await play(seats, world, operations, until: { await steps.reach("ready") })
            _ = await steps.reach("played")
            // Until every photo has ended and every stream has shown it.
            try? await eventually(
                "the end of all photos", within: .seconds(plan.photoLifetime + 60), every: .seconds(1)
            ) { streamFindings(followers, seats, world).isEmpty }
            for follower in followers { follower.finish() }
            following.cancel()
            _ = await steps.reach("rested")
            var report = try await judge(world, steps)
            report.findings += streamFindings(followers, seats, world)
            report.add(followers.map(\.log), operations)
            return report
        }
    }

    // MARK: Beginning

    /// Signs everybody in and fills the groups, before anything fails.
    private func gather(in world: World) async throws -> [ClusterSeat] {
        let count = plan.groups * Self.membersPerGroup / Self.groupsPerPerson
        let people = (0..<count).map { Client(world, $0) }
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            for person in people { tasks.addTask { try await person.signIn(at: plan.url) } }
            try await tasks.waitForAll()
        }
        var seats: [ClusterSeat] = []
        for group in 0..<plan.groups {
            let members = (0..<Self.membersPerGroup).map {
                people[(group * Self.membersPerGroup + $0) % people.count]
            }
            seats += try await fill(members)
        }
        return seats
    }

    private func fill(_ members: [Client]) async throws -> [ClusterSeat] {
        let guests = Array(members.dropFirst())
        guard let made = try await members[0].createGroup(inviting: guests, at: plan.url) else {
            throw ProxyError(description: "there is no group")
        }
        for (guest, code) in zip(guests, made.codes) {
            guard await guest.redeem(code, of: made.id, at: plan.url).isSuccess else {
                throw ProxyError(description: "\(guest.name) cannot join")
            }
        }
        return members.enumerated().map { place, person in
            ClusterSeat(
                person: person, group: made.id, host: members[0], members: members,
                isTraveller: place == members.count - 1)
        }
    }

    // MARK: Playing

    /// Every member takes a turn from time to time until `end` returns.
    private func play(
        _ seats: [ClusterSeat], _ world: World, _ operations: Operations, until end: () async -> String
    ) async throws {
        let ended = Counter()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for seat in seats {
                let player = ClusterPlayer(seat: seat, plan: plan, world: world, operations: operations)
                let interval = Double(seats.count) / plan.turnsPerSecond
                group.addTask { try await Self.play(player, every: interval, until: ended) }
            }
            _ = await end()
            ended.increment()
            try await group.waitForAll()
        }
    }

    private static func play(_ player: ClusterPlayer, every interval: Double, until ended: Counter)
        async throws
    {
        var (day, photo) = (0, SeenPhoto?.none)
        var next = ContinuousClock.now + .seconds(Double.random(in: 0...interval))
        while ended.value == 0 {
            if ContinuousClock.now >= next {
                next = .now + .seconds(interval * Double.random(in: 0.7...1.3))
                photo = try await player.play(day: day, after: photo)
                day += 1
            }
            try await Task.sleep(for: .milliseconds(100))
        }
    }

    // MARK: Judging

    /// Holds the rules against what clients saw and what is left, as after every other run.
    private func judge(_ world: World, _ steps: Steps) async throws -> ClusterReport {
        var rules = Checker.Rules()
        rules.groupsPerUser = Self.groupsPerPerson
        rules.membersPerGroup = Self.membersPerGroup
        rules.urlLifetime = plan.urlLifetime
        let checker = Checker(
            rules: rules, entries: world.history.entries, observations: world.history.observations)
        var findings = checker.findings
        findings += checker.findings(in: try await world.remains(), isOver: false)
        // The lives, then the claims of sweepers that were killed, then the second deletions.
        for time in [.hours(48) + .seconds(1), .seconds(200), .seconds(200)] as [Duration] {
            try await world.pass(time)
            let answer = await steps.reach("sweep")
            if answer != "swept" { findings.append(Finding(3, "the last sweep failed: \(answer)")) }
        }
        findings += checker.findings(in: try await world.remains(), isOver: true)
        var report = ClusterReport()
        report.findings = findings.map(\.description).sorted()
        report.calls = checker.entries.count
        report.accepted = Set(checker.accepted.map(\.photo.id)).count
        return report
    }

    private func streamFindings(
        _ followers: [StreamFollower], _ seats: [ClusterSeat], _ world: World
    ) -> [String] {
        var steady: [String: Set<String>] = [:]
        for seat in seats where !seat.isTraveller { steady[seat.person.id, default: []].insert(seat.group) }
        let photos = Checker(entries: world.history.entries).accepted.map(\.photo)
        let checker = StreamChecker(
            readers: followers.map {
                .init(user: $0.person.id, groups: steady[$0.person.id] ?? [], log: $0.log)
            },
            accepted: Dictionary(grouping: photos, by: \.group).mapValues { Set($0.map(\.id)) })
        return checker.findings.map(\.description)
    }
}

extension ClusterReport {
    fileprivate mutating func add(_ logs: [StreamLog], _ operations: Operations) {
        self.operations = operations.all
        longestLease = operations.longestLease
        streams = logs.count
        events = logs.map(\.events.count).reduce(0, +)
        reconnections = logs.map(\.gaps.count).reduce(0, +)
        longestGap = logs.flatMap(\.gaps).map { $0.upperBound.timeIntervalSince($0.lowerBound) }.max() ?? 0
    }
}
