import Glibc
import Synchronization

/// Where the proxies before one process ask what to do with each request: a trap that counts them, then a plan, then
/// whoever watches.
package final class Switchboard: Sendable {
    package typealias Plan = @Sendable (Passing) -> Fault
    package typealias Watcher = @Sendable (Passing) -> Void

    private struct State {
        var trap: Trap?
        var plan: Plan?
        var watchers: [Watcher] = []
        var refused: Set<Link> = []
        var lastSeen = ContinuousClock.now
        var late = 0
    }

    private let state = Mutex(State())

    package init() {}

    /// Counts from now on, up to the trap's step.
    package func set(_ trap: Trap?) { state.withLock { $0.trap = trap } }

    package func follow(_ plan: Plan?) { state.withLock { $0.plan = plan } }

    /// Sees every request before it goes on; on a thread that may wait.
    package func watch(_ watcher: @escaping Watcher) { state.withLock { $0.watchers.append(watcher) } }

    /// New connections are closed at once.
    package func refuse(_ links: Set<Link>) { state.withLock { $0.refused = links } }

    func refuses(_ link: Link) -> Bool { state.withLock { $0.refused.contains(link) } }

    /// How long nothing has passed.
    package var quiet: Duration { state.withLock { ContinuousClock.now - $0.lastSeen } }

    /// Requests that are still to arrive though nobody waits for them.
    package var late: Int { state.withLock { $0.late } }

    func beginLate() { state.withLock { $0.late += 1 } }
    func endLate() { state.withLock { $0.late -= 1 } }

    /// Decides about a request; it may hold the request for long.
    func request(_ passing: Passing) -> (fault: Fault, trap: Trap?) {
        let (trap, plan, watchers) = state.withLock { state in
            state.lastSeen = .now
            return (state.trap, state.plan, state.watchers)
        }
        var caught: (fault: Fault, trap: Trap?) = (.none, nil)
        if let trap, let action = trap.count(passing) {
            state.withLock { if $0.trap === trap { $0.trap = nil } }
            switch (trap.moment, action) {
            case (.before, .hold): caught = (trap.wait() == .pass ? .none : .reset, nil)
            case (.after, .hold): caught = (.none, trap)
            case (_, .fault(let fault)): caught = (fault, nil)
            }
        } else if let plan {
            caught = (plan(passing), nil)
        }
        if arrives(caught.fault) { watchers.forEach { $0(passing) } }
        return caught
    }

    private func arrives(_ fault: Fault) -> Bool {
        switch fault {
        case .none, .delay, .replyLost, .late: true
        case .hang, .reset, .status, .keptNothing: false
        }
    }

    /// The answer has come; false when it is not to be passed on.
    func reply(_ trap: Trap?) -> Bool {
        state.withLock { $0.lastSeen = .now }
        guard let trap else { return true }
        return trap.wait() == .pass
    }
}

/// Counts the requests of an operation and stops at one of them. A stopped request waits until `release`.
package final class Trap: Sendable {
    package enum Moment: String, Sendable, CaseIterable {
        /// Before the request goes on.
        case before
        /// When the request was carried out, before its answer is delivered.
        case after
    }

    package enum Action: Sendable {
        case hold
        case fault(Fault)
    }

    package enum Release: Sendable {
        case pass, drop
    }

    package let step: Int
    package let moment: Moment
    private let action: Action
    private let links: Set<Link>
    private let beginning: String

    private struct State {
        var hasBegun = false
        var count = 0
        var what: String?
        var earlier: [String] = []
        var isHeld = false
        var release: Release?
    }

    private let state = Mutex(State())

    /// - Parameters:
    ///   - step: from 1.
    ///   - links: what is counted.
    ///   - beginning: the first request that counts has this text; empty: any.
    package init(
        step: Int, _ moment: Moment, _ action: Action = .hold, on links: Set<Link> = Set(Link.allCases),
        from beginning: String = ""
    ) {
        self.beginning = beginning
        self.step = step
        self.moment = moment
        self.action = action
        self.links = links
    }

    /// The request that it stopped at.
    package var what: String? { state.withLock { $0.what } }

    /// The requests of the operation that went on before that one.
    package var earlier: [String] { state.withLock { $0.earlier } }

    /// Whether the request, or its answer, waits here now.
    package var isHeld: Bool { state.withLock { $0.isHeld } }

    package var passed: Int { state.withLock { $0.count } }

    package func release(_ release: Release) { state.withLock { $0.release = release } }

    func count(_ passing: Passing) -> Action? {
        guard links.contains(passing.link) else { return nil }
        return state.withLock { state in
            guard state.what == nil else { return nil }
            state.hasBegun = state.hasBegun || beginning.isEmpty || passing.what.contains(beginning)
            guard state.hasBegun else { return nil }
            state.count += 1
            guard state.count == step else {
                state.earlier.append(passing.what)
                return nil
            }
            state.what = passing.what
            return action
        }
    }

    func wait() -> Release {
        state.withLock { $0.isHeld = true }
        while true {
            if let release = state.withLock({ $0.release }) { return release }
            usleep(1_000)
        }
    }
}
