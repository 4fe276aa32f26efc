/// A limit that is lowered at once and raised from the next local day on, so that it never rises at the moment at which it
/// binds. nil stands for no limit, which is higher than all limits.
package struct RisingLimit: Hashable, Sendable {
    /// A limit that waits for its day.
    package struct Waiting: Hashable, Sendable {
        package let value: Int?
        package let from: DayNumber

        package init(value: Int?, from: DayNumber) {
            self.value = value
            self.from = from
        }
    }

    /// The limit until the waiting one is in force.
    package private(set) var value: Int?
    package private(set) var next: Waiting?

    package init(_ value: Int?, next: Waiting? = nil) {
        self.value = value
        self.next = next
    }

    /// The limit in force on a local day.
    package func inForce(on day: DayNumber) -> Int? {
        if let next, day >= next.from { return next.value }
        return value
    }

    /// The limit that still waits on a local day.
    package func waiting(on day: DayNumber) -> Waiting? {
        next.flatMap { $0.from > day ? $0 : nil }
    }

    /// Sets the limit on a local day. It replaces one that waits.
    /// - Parameter used: how much of today's limit is used up: today's limit is not lowered below that, and the rest of the
    ///   lowering waits for tomorrow.
    package mutating func set(_ wanted: Int?, on day: DayNumber, used: Int = 0) {
        let current = inForce(on: day)
        value = current
        if let wanted, current.map({ wanted < $0 }) ?? true {
            value = max(wanted, min(used, current ?? used))
        }
        next = wanted == value ? nil : Waiting(value: wanted, from: day + 1)
    }
}
