import Foundation

/// The limit of this process on open files and sockets.
enum FileDescriptors {
    /// Descriptors for everything except clients' connections: the database, the object store, gateways, decoders, files,
    /// and connections that are being refused.
    static let reserve = 512

    static var limit: (soft: Int, hard: Int) {
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return (1_024, 1_024) }
        return (Int(clamping: limit.rlim_cur), Int(clamping: limit.rlim_max))
    }

    /// Raises the soft limit to the hard limit. The soft limit is low only for programs that use select(2).
    static func raiseLimit() {
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0, limit.rlim_cur < limit.rlim_max else { return }
        limit.rlim_cur = limit.rlim_max
        _ = setrlimit(resource, &limit)
    }

    static var roomForConnections: Int { room(within: limit.soft) }

    static func room(within limit: Int) -> Int { max(limit - reserve, limit / 2) }

    #if os(Linux)
    private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
    private static let resource = RLIMIT_NOFILE
    #endif
}
