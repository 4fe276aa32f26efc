import Synchronization

/// How the harness runs as a whole. Set before anything is run.
package struct Conditions: Sendable {
    private static let chosen = Mutex(Conditions())

    package static var current: Conditions {
        get { chosen.withLock { $0 } }
        set { chosen.withLock { $0 = newValue } }
    }

    /// Every world reaches its database through a pooler.
    package var isPooled = false
    /// Takes its time: every step by itself, and more often.
    package var isLong = false

    package init() {}
}

/// How the programs of a world reach their database.
package enum DatabaseRoute: Sendable {
    /// The server that all worlds share.
    case shared
    /// That server, through a PgBouncer in transaction mode of the world's own.
    case pooled
    /// A server of the world's own that flushes what it commits and can be killed.
    case durable
    /// The same, with a clock that the harness sets.
    case durableWithClock

    var isDurable: Bool { self == .durable || self == .durableWithClock }
}
