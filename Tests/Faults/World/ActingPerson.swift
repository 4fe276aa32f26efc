import Synchronization

/// Somebody who carries out numbered acts. Each act repeats the same bytes, as a queue of calls does.
protocol ActingPerson: Sendable {
    var performed: NumberedActs { get }
}

extension ActingPerson {
    /// The number of acts that have begun.
    var acts: Int { performed.count }

    /// Begins another act.
    func beginAct() { performed.begin() }

    /// The text that `make` made when it was first asked for under the name.
    func body(_ name: String, _ make: () throws -> String) rethrows -> String {
        try performed.body(name, make)
    }
}

/// The acts of a person, and the bodies of their calls.
final class NumberedActs: Sendable {
    private struct State {
        var count = 0
        var bodies: [String: String] = [:]
    }

    private let state = Mutex(State())

    fileprivate var count: Int { state.withLock { $0.count } }

    fileprivate func begin() { state.withLock { $0.count += 1 } }

    fileprivate func body(_ name: String, _ make: () throws -> String) rethrows -> String {
        if let known = state.withLock({ $0.bodies[name] }) { return known }
        let made = try make()
        state.withLock { $0.bodies[name] = made }
        return made
    }
}
