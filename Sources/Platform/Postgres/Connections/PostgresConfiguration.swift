/// The database's address, and the limits and timeouts of a client.
package struct PostgresConfiguration: Sendable {
    /// A libpq URL (or key=value string). TLS, sockets and several hosts are libpq's own parameters. Its parameters
    /// override the defaults below. It holds the password, so it must not be logged.
    package var url: String
    /// A URL of the server itself when `url` leads through a pooler: for LISTEN and migrations, which need a session of
    /// their own. Nil when `url` serves for these too.
    package var directURL: String?
    /// The pool's name in metrics; a process may have several pools.
    package var poolName = "requests"
    package var maxConnections = 8
    /// The number of statements and transactions that may wait for a connection. One more is refused at once.
    package var maxWaiting = 1_000
    /// The longest wait for a connection.
    package var acquireTimeout: Duration = .seconds(5)
    /// The time limit of one statement; zero for no limit.
    package var statementTimeout: Duration = .seconds(15)
    /// The longest wait of one statement for a lock; zero for no limit.
    package var lockTimeout: Duration = .seconds(10)
    /// The time limit for connecting to one address; 3 s at most for each of several hosts. libpq takes whole seconds, and
    /// at least two.
    package var connectTimeout: Duration = .seconds(5)
    /// The time after which an unused connection is closed.
    package var idleTimeout: Duration = .seconds(300)
    /// The number of prepared statements that each connection keeps; it drops the least recently used one.
    package var maxPreparedStatements = 128
    package var applicationName = "dayly"

    /// Delivers the signals of committed transactions. Several clients of one process share it.
    package var signals = CommitSignals()
    /// Gives rows another time zone than one that the server does not know. Copies of a configuration share it.
    package var zoneRepair = DataRepair()
    /// Whether the server's time can be trusted. Copies of a configuration share it.
    package var timeAgreement = TimeAgreement()
    /// Copies of a configuration share it.
    package var latestHost = LatestHost()

    package init(url: String) { self.url = url }
}

extension PostgresConfiguration {
    /// The same configuration for work that needs a session of its own.
    var direct: PostgresConfiguration {
        var direct = self
        if let directURL {
            direct.url = directURL
            direct.latestHost = LatestHost()
        }
        direct.directURL = nil
        return direct
    }
}

extension PostgresConfiguration: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "PostgresConfiguration(maxConnections: \(maxConnections))" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: ["maxConnections": maxConnections]) }
}
