import CPostgres

/// The parameters of a connection, as libpq takes them.
struct ConnectionParameters {
    private let pairs: [(keyword: String, value: String)]

    /// libpq keeps the last value of a keyword. So the defaults come first, then the URL, then the values that must not
    /// differ.
    init(_ configuration: PostgresConfiguration) {
        let seconds = configuration.connectTimeout.components.seconds
        pairs = [
            ("connect_timeout", String(max(2, seconds))),
            ("fallback_application_name", configuration.applicationName),
            // The client notices a vanished peer after 10 s while it sends, and after a minute while it waits.
            ("tcp_user_timeout", "10000"),
            ("keepalives_idle", "30"),
            ("keepalives_interval", "10"),
            ("keepalives_count", "3"),
            // Only the primary takes writes. A URL may list several hosts, and a name may move after a failover.
            ("target_session_attrs", "read-write"),
            ("dbname", configuration.url),
            ("client_encoding", "UTF8"),
        ]
    }

    /// Connects. Blocks until the connection stands or has failed.
    func connect() -> OpaquePointer? {
        withCStrings(pairs.map(\.keyword)) { keywords in
            withCStrings(pairs.map(\.value)) { values in PQconnectdbParams(keywords, values, 1) }
        }
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
