import Settings

/// How streams of events behave.
package struct EventSettings: SettingGroup {
    /// The longest silence of a stream. The API promises clients 15 s at most.
    package var heartbeat: Duration = .seconds(12)

    @Setting(
        "events.streams", .number(0...1_000_000),
        default: .derived("four fifths of `http.max_connections`") { text in
            "\((text("http.max_connections").flatMap { Int($0) } ?? 10_000) / 5 * 4)"
        },
        "Open streams of one process; beyond it the answer is 503. A larger value is refused, because other "
            + "requests need connections too."
    )
    package var maxStreams: Int

    @Setting(
        "events.streams_per_user", .number(1...1_000), default: "10",
        "Open streams of one user on one process; beyond it the oldest ends.")
    var maxStreamsPerUser: Int

    /// How often a part of the users with streams is compared with the database, because a signal is lost with the
    /// process that sends it.
    package var pollInterval: Duration = .seconds(5)
    /// Parts that these users are divided into: each user's turn comes once in so many intervals.
    var pollParts = 12
    /// Events that wait for a slow reader. Beyond it the stream ends, and the client resumes from its cursor.
    var maxBuffered = 256
    /// When a client that lost its stream is to connect again.
    package var retry: Duration = .seconds(3)
    /// When a process ends, the clients of its streams connect again within this time, each at a random moment.
    var shutdownSpread: Duration = .seconds(30)
    /// Whether a proxy leads returning clients to another process. Then a process that ends spreads the ends of its streams
    /// instead, and each client connects again after `quickRetry`.
    package var endsGradually = false
    var quickRetry: Duration = .milliseconds(500)
    /// The pause from one such end to the next one, or less where all would take longer than `shutdownSpread`.
    var endPause: Duration = .milliseconds(3)
    /// Events of a group that are read together.
    package var pageSize = 200

    package init() {}
}
