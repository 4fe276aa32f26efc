/// Checks that the machine allows as many connections as the configuration asks for.
struct CapacityChecks: Sendable {
    let configuration: ServerConfiguration
    /// The most file descriptors that this process may give itself.
    var hardLimit = FileDescriptors.limit.hard

    func findings() -> [Finding] {
        let wanted = configuration.http.maxConnections
        guard FileDescriptors.room(within: hardLimit) < wanted else {
            return [.ok("connections", "file descriptors for \(wanted)")]
        }
        return [
            .problem(
                "connections",
                "\(hardLimit) file descriptors are too few for http.max_connections = \(wanted)",
                remedy:
                    "Allow \(wanted + FileDescriptors.reserve) (LimitNOFILE= in the unit, --ulimit nofile= for a container), "
                    + "or lower DAYLY_HTTP_MAX_CONNECTIONS."
            )
        ]
    }
}
