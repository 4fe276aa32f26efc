/// Where the database is and how long to wait for it.
package struct PostgresConfiguration: Sendable {
    /// A libpq URL (or key=value string). TLS, sockets and several hosts are libpq's own parameters; what it
    /// says wins over the defaults below. Holds the password: not for logs.
    package var url: String
    /// A URL that leads to the server itself where `url` leads through a pooler: for LISTEN and migrations, which need
    /// a session of their own. nil: `url` serves for these too.
    package var directURL: String?
    /// Names the pool in metrics, where a process has several.
    package var poolName = "requests"
    package var maxConnections = 8
    /// How many statements and transactions may wait for a connection; one more is refused at once.
    package var maxWaiting = 1_000
    /// How long a statement may wait for a connection.
    package var acquireTimeout: Duration = .seconds(5)
    /// How long one statement may run; zero for no limit.
    package var statementTimeout: Duration = .seconds(15)
    /// How long one statement may wait for a lock; zero for no limit.
    package var lockTimeout: Duration = .seconds(10)
    /// How long connecting to one address may take; libpq knows whole seconds and no fewer than two.
    package var connectTimeout: Duration = .seconds(5)
    /// How long a connection may stand unused before it is closed.
    package var idleTimeout: Duration = .seconds(300)
    /// Prepared statements kept by each connection; the least recently used goes.
    package var maxPreparedStatements = 128
    package var applicationName = "dayly"

    /// Where the signals of committed transactions go. Several clients of one process share it.
    package var signals = CommitSignals()

    package init(url: String) { self.url = url }
}

extension PostgresConfiguration {
    /// The same for work that needs a session of its own.
    var direct: PostgresConfiguration {
        var direct = self
        direct.url = directURL ?? url
        direct.directURL = nil
        return direct
    }
}

extension PostgresConfiguration: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "PostgresConfiguration(maxConnections: \(maxConnections))" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: ["maxConnections": maxConnections]) }
}
