/// Thrown when a condition does not come true in time.
package struct TimedOut: Error, CustomStringConvertible {
    package let description: String

    package init(description: String) { self.description = description }
}

/// Calls `probe` until it returns a value.
///
/// - Throws: `TimedOut` after `limit`, with the place of the call.
package func eventually<Value>(
    _ what: String = "the condition", within limit: Duration = .seconds(120),
    every pause: Duration = .milliseconds(10), file: StaticString = #fileID, line: UInt = #line,
    _ probe: () async throws -> Value?
) async throws -> Value {
    let deadline = ContinuousClock.now + limit
    while true {
        if let value = try await probe() { return value }
        guard ContinuousClock.now < deadline else {
            throw TimedOut(description: "\(what) did not come true within \(limit) (\(file):\(line))")
        }
        try await Task.sleep(for: pause)
    }
}

/// Waits until a condition is true.
package func eventually(
    _ what: String = "the condition", within limit: Duration = .seconds(120),
    every pause: Duration = .milliseconds(10), file: StaticString = #fileID, line: UInt = #line,
    _ condition: () async throws -> Bool
) async throws {
    _ = try await eventually(what, within: limit, every: pause, file: file, line: line) { () -> Void? in
        try await condition() ? () : nil
    }
}

/// Runs `count` calls at the same time and returns their results in order.
package func atOnce<Value: Sendable>(
    _ count: Int, _ call: @escaping @Sendable (Int) async throws -> Value
) async throws -> [Value] {
    try await withThrowingTaskGroup(of: (Int, Value).self) { group in
        for index in 0..<count { group.addTask { (index, try await call(index)) } }
        return try await group.reduce(into: []) { $0.append($1) }.sorted { $0.0 < $1.0 }.map(\.1)
    }
}
