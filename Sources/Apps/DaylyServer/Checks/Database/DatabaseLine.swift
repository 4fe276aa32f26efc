import Foundation

/// Whether `database.url` guarantees an encrypted connection. libpq's default mode, `prefer`, and the weaker modes
/// silently fall back to clear text.
struct DatabaseLine: Sendable {
    private static let safe: Set<String> = ["require", "verify-ca", "verify-full"]

    /// The warning of `serve`, for the first URL that needs one. There is none in development.
    ///
    /// - Parameter variables: The process's environment.
    static func warning(_ configuration: ServerConfiguration, variables: [String: String]) -> String? {
        guard configuration.environment == .production else { return nil }
        return [configuration.database.url, configuration.database.directURL].compactMap { $0 }.lazy
            .compactMap { DatabaseLine(url: $0, defaultMode: variables["PGSSLMODE"]).warning }.first
    }

    let url: String
    /// `PGSSLMODE`, which libpq takes where the URL has no `sslmode`.
    let defaultMode: String?

    /// The warning, or nil where the connection is encrypted or does not leave this machine.
    var warning: String? {
        guard !Self.safe.contains(mode), !isLocal else { return nil }
        return "the connection to the database may not be encrypted: sslmode is \(mode)"
            + (parameter("sslmode") == nil && defaultMode == nil ? ", libpq's default" : "")
            + ". Add ?sslmode=verify-full&sslrootcert=FILE to database.url, where FILE contains the authority that "
            + "signed the server's certificate."
    }

    private var mode: String { parameter("sslmode") ?? defaultMode ?? "prefer" }

    /// The last occurrence counts, as in libpq.
    private func parameter(_ name: String) -> String? {
        guard let query = url.split(separator: "?", maxSplits: 1).dropFirst().first else { return nil }
        return query.split(separator: "&").last { $0.hasPrefix(name + "=") }
            .map { String($0.dropFirst(name.count + 1)) }
    }

    private var isLocal: Bool {
        let authority = url.components(separatedBy: "://").last?.prefix { $0 != "/" && $0 != "?" } ?? ""
        let named = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
        let hosts = parameter("hostaddr") ?? parameter("host") ?? String(named)
        return hosts.split(separator: ",", omittingEmptySubsequences: false).allSatisfy(Self.isLocal)
    }

    /// An empty host and a path are Unix sockets.
    private static func isLocal(_ host: Substring) -> Bool {
        let name = host.removingPercentEncoding ?? String(host)
        return name.isEmpty || name.hasPrefix("/") || name.hasPrefix("[::1]") || name == "::1"
            || ["localhost", "127."].contains(where: name.hasPrefix)
    }
}
