import DaylyTesting
import Foundation
import ProgramTesting
import Synchronization

/// A world with a running service and the people who are in every scene: Ada sends, Ben looks on.
package struct Stage: Sendable {
    let world: World
    let instance: Instance
    let ada: Client
    let ben: Client
    private let extras: Counter

    /// Runs `body`, lets everything end, and says what was found.
    static func run(
        on store: World.Store = .rclone, pushes: Bool = false, by route: DatabaseRoute = .shared,
        _ settings: [String: String] = [:],
        rules: @escaping @Sendable (inout Checker.Rules) -> Void = { _ in },
        _ body: @escaping @Sendable (Stage) async throws -> Void
    ) async throws -> Outcome {
        let base = [
            "photos.sweep_interval": "240s", "limits.groups_per_user": "1000",
            "limits.members_per_group": "1000", "database.max_connections": "40",
        ]
        return try await World.run(on: store, pushes: pushes, by: route, base.merging(settings) { $1 }) {
            world in
            let instance = try world.instance()
            try await instance.start()
            let stage = Stage(
                world: world, instance: instance, ada: Client(world, 1), ben: Client(world, 2),
                extras: Counter(9))
            try await stage.ada.signIn(at: instance.url)
            try await stage.ben.signIn(at: instance.url)
            try await body(stage)
            var limits = Checker.Rules()
            limits.groupsPerUser = 1000
            limits.membersPerGroup = 1000
            rules(&limits)
            return Outcome(findings: try await world.settle(limits), remarks: world.history.remarks)
        }
    }

    var url: String { instance.url }

    /// A second instance of the service, running.
    func another() async throws -> Instance {
        let other = try world.instance()
        try await other.start()
        return other
    }

    /// Somebody who has not been on the stage yet; not signed in.
    func stranger() -> Client { Client(world, extras.increment()) }

    /// Another number at each call.
    func next() -> Int { extras.increment() }

    /// A group of Ada's that Ben is in.
    func group() async throws -> String {
        try await group(of: ada)
    }

    /// Both calls are repeated as an app repeats them: right after a crash of PostgreSQL the service may refuse the first one.
    func group(of maker: Client) async throws -> String {
        let made = try await eventually("a group", within: .seconds(60), every: .milliseconds(700)) {
            try await maker.createGroup(inviting: [ben], at: url)
        }
        _ = try await persist("a redemption", within: .seconds(60)) {
            await ben.redeem(made.codes[0], of: made.id, at: url)
        }
        return made.id
    }

    /// Tries until `call` comes to something, as an app does.
    func persist(
        _ what: String, within limit: Duration = .seconds(170),
        _ isSettled: @escaping @Sendable (Answer) -> Bool = { $0.isSuccess },
        _ call: () async -> Answer
    ) async throws -> Answer {
        try await eventually(what, within: limit, every: .milliseconds(700)) {
            let answer = await call()
            if isSettled(answer) { return answer }
            if answer.status == 401 { throw ProxyError(description: "\(what): signed out") }
            return nil
        }
    }

    /// Ada deletes a photo while the store refuses everything, so that its objects are left to a sweeper, who finds them
    /// as if no deletion had been tried.
    func deleteForSweeper(_ photo: String) async throws {
        instance.board.follow { $0.link == .store ? .status(403, xml: true) : .none }
        await ada.deletePhoto(photo, at: url)
        instance.board.follow(nil)
        try await world.forgetTries()
    }

    /// Records the feed of every member in the history.
    func look(at group: String, by viewers: [Client]) async {
        for viewer in viewers {
            for photo in await viewer.feed(group, at: url).photos {
                await viewer.fetch(photo)
            }
        }
    }
}

extension World {
    /// Ends everything: the processes, then every photo's life, then the sweeping; and holds the rules against what
    /// the clients saw and what is left.
    func settle(_ rules: Checker.Rules) async throws -> [Finding] {
        for instance in instances {
            instance.board.follow(nil)
            instance.board.refuse([])
        }
        try await eventually("late requests", within: .seconds(60)) {
            instances.allSatisfy { $0.board.late == 0 }
        }
        for instance in instances { try await instance.kill9() }
        let checker = Checker(rules: rules, entries: history.entries, observations: history.observations)
        var findings = checker.findings
        findings += checker.findings(in: try await remains(), isOver: false)
        let sweeper = try instance()
        // The lives, then the claims of sweepers that were killed, then the second deletions.
        for time in [.hours(48) + .seconds(1), .seconds(200), .seconds(200)] as [Duration] {
            try await pass(time)
            let sweep = try await sweeper.run("sweep", "--once")
            if sweep.status != 0 { findings.append(Finding(3, "the last sweep failed: \(sweep)")) }
        }
        findings += checker.findings(in: try await remains(), isOver: true)
        if let providers {
            findings += checker.findings(among: providers.deliveries)
            findings += Set(providers.violations).map { Finding(0, "a push service would refuse: \($0)") }
        }
        findings += Checker.findings(inLog: logs, messages: inbox.messages)
        if findings.contains(where: { $0.invariant == 0 }) {
            logs.split(separator: "\n").filter { $0.contains(" ERROR ") }.suffix(5)
                .forEach { history.tell(String($0)) }
        }
        return try await explained(findings)
    }
}
