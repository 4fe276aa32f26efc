import DaylyAPI
import Hummingbird

/// The result of a call that makes something.
package struct Creation<Value> {
    package let value: Value
    /// The client repeated the call, and the thing was there already.
    package let isRepeated: Bool

    package init(value: Value, isRepeated: Bool) {
        self.value = value
        self.isRepeated = isRepeated
    }

    /// The answer: 201, or 200 for a repeated call.
    package func reply<Body>(_ body: (Value) throws -> Body) rethrows -> Reply<Body> {
        Reply(status: isRepeated ? .ok : .created, try body(value))
    }
}

extension Creation: Sendable where Value: Sendable {}

/// The client has used the `Idempotency-Key` for another call.
package struct IdempotencyKeyReused: ProblemConvertible {
    package init() {}

    package var problem: Problem {
        Problem(
            .unprocessableContent, .idempotencyKeyReused, "This Idempotency-Key belongs to another request.")
    }
}
