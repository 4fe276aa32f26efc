import CPostgres

/// The parameters of a connection, as libpq takes them.
struct ConnectionParameters {
    /// In seconds, for each of several hosts: two of them may be tried within the time that a request waits.
    private static let longestPerHost: Int64 = 3

    private let pairs: [(keyword: String, value: String)]
    private let hosts: DatabaseHosts
    private let latestHost: LatestHost

    /// libpq keeps the last value of a keyword. So the defaults come first, then the URL, then the values that must not
    /// differ.
    init(_ configuration: PostgresConfiguration) {
        hosts = DatabaseHosts(url: configuration.url)
        latestHost = configuration.latestHost
        let seconds = configuration.connectTimeout.components.seconds
        let timeout = hosts.count > 1 ? min(seconds, Self.longestPerHost) : seconds
        var pairs = [
            (keyword: "connect_timeout", value: String(max(2, timeout))),
            ("fallback_application_name", configuration.applicationName),
            // The client notices a vanished peer after 5 s while it sends, and after 15 s at the latest while it waits.
            ("tcp_user_timeout", "5000"),
            ("keepalives_idle", "10"),
            ("keepalives_interval", "2"),
            ("keepalives_count", "3"),
            // Only the primary takes writes. A URL may list several hosts, and a name may move after a failover.
            ("target_session_attrs", "read-write"),
            ("dbname", configuration.url),
        ]
        pairs += hosts.parameters(startingAt: latestHost.index)
        pairs.append(("client_encoding", "UTF8"))
        self.pairs = pairs
    }

    /// Connects. Blocks until the connection stands or has failed.
    func connect() -> OpaquePointer? {
        let connection = withCStrings(pairs.map(\.keyword)) { keywords in
            withCStrings(pairs.map(\.value)) { values in PQconnectdbParams(keywords, values, 1) }
        }
        if let connection, PQstatus(connection) == CONNECTION_OK, let place = hosts.index(of: connection) {
            latestHost.index = place
        }
        return connection
    }

    private func withCStrings<Result>(
        _ strings: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> Result
    ) -> Result {
        let bytes = strings.map { Array($0.utf8CString) }
        let joined = Array(bytes.joined())
        return joined.withUnsafeBufferPointer { joined in
            var pointers: [UnsafePointer<CChar>?] = []
            var offset = 0
            for string in bytes {
                pointers.append(joined.baseAddress.map { $0 + offset })
                offset += string.count
            }
            pointers.append(nil)
            return pointers.withUnsafeBufferPointer { body($0.baseAddress) }
        }
    }
}

extension PostgresConfiguration {
    /// One SELECT with the settings that the rest of the module relies on: the text form of values, the server's time
    /// limits, and durable commits. With an operator's `synchronous_commit = off`, PostgreSQL would lose acknowledged
    /// commits when it crashes. Every other value waits at least for the local flush and is kept.
    ///
    /// - Parameter isLocal: whether the settings end with the transaction; otherwise with the session.
    func settingsStatement(isLocal: Bool) -> String {
        let idle = statementTimeout == .zero ? .zero : statementTimeout + .seconds(5)
        let settings = [
            ("statement_timeout", "\(statementTimeout.wholeMilliseconds)"),
            ("lock_timeout", "\(lockTimeout.wholeMilliseconds)"),
            ("idle_in_transaction_session_timeout", "\(idle.wholeMilliseconds)"),
            ("TimeZone", "UTC"), ("DateStyle", "ISO, YMD"), ("bytea_output", "hex"),
            ("extra_float_digits", "1"), ("standard_conforming_strings", "on"),
            ("client_min_messages", "warning"),
        ].map { name, value in "set_config('\(name)', '\(value)', \(isLocal))" }
        return """
            SELECT \(settings.joined(separator: ", ")),
                CASE WHEN current_setting('synchronous_commit') = 'off'
                    THEN set_config('synchronous_commit', 'on', \(isLocal)) END
            """
    }
}

extension Duration {
    /// Rounded up, so that a limit below one millisecond does not become 0, which means no limit.
    var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
    }
}
