/// Thrown when a condition does not come true in time.
package struct TimedOut: Error, CustomStringConvertible {
    package let description: String

    package init(description: String) { self.description = description }
}

/// Asks `probe` until it gives a value; throws `TimedOut` after `limit`.
package func eventually<Value>(
    _ what: String, within limit: Duration = .seconds(10), every pause: Duration = .milliseconds(20),
    _ probe: () async throws -> Value?
) async throws -> Value {
    let deadline = ContinuousClock.now.advanced(by: limit)
    while true {
        if let value = try await probe() { return value }
        guard ContinuousClock.now < deadline else {
            throw TimedOut(description: "waited \(limit) in vain: \(what)")
        }
        try await Task.sleep(for: pause)
    }
}

/// As above, for a condition.
package func eventually(
    _ what: String, within limit: Duration = .seconds(10), every pause: Duration = .milliseconds(20),
    _ condition: () async throws -> Bool
) async throws {
    _ = try await eventually(what, within: limit, every: pause) { () -> Void? in
        try await condition() ? () : nil
    }
}

/// Runs `count` calls at once and gives their results in no particular order.
package func atOnce<Value: Sendable>(
    _ count: Int, _ call: @escaping @Sendable (Int) async throws -> Value
) async throws -> [Value] {
    try await withThrowingTaskGroup(of: Value.self) { group in
        for index in 0..<count {
            group.addTask { try await call(index) }
        }
        return try await group.reduce(into: []) { $0.append($1) }
    }
}
