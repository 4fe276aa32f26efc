/// How streams of events behave. The defaults are the product's.
package struct EventSettings: Sendable {
    /// The longest silence of a stream.
    package var heartbeat: Duration = .seconds(12)
    /// How often a part of the streams' users is compared with the database, for signals that were lost with the
    /// process that sent them.
    package var pollInterval: Duration = .seconds(5)
    /// Parts that the users are divided into: each user is looked at once in so many intervals.
    package var pollParts = 12
    /// Open at once, of one process.
    package var maxStreams = 8_000
    /// Open at once, of one user on one process; beyond it the oldest ends.
    package var maxStreamsPerUser = 10
    /// Events that wait for a slow reader; beyond it the stream ends, and the client goes on from its cursor.
    package var maxBuffered = 256
    /// When a client that lost its stream is to come back.
    package var retry: Duration = .seconds(3)
    /// When a process ends, the clients of its streams come back within this time, each at a moment of its own.
    package var shutdownSpread: Duration = .seconds(30)
    /// Events of a group that are read together.
    package var pageSize = 200

    package init() {}
}

/// What a stream of events refuses, free of HTTP.
package enum EventError: Error, Equatable {
    /// The cursor is older than what is remembered, or is none.
    case cursorExpired
    /// No stream more can be served by this process.
    case tooManyStreams
}
