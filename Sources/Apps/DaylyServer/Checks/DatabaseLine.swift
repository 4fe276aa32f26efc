import Foundation

/// Whether the line to the database is encrypted for certain, as `database.url` has it. libpq's default, `prefer`, and
/// the weaker modes fall back to clear text without a word.
struct DatabaseLine: Sendable {
    private static let safe: Set<String> = ["require", "verify-ca", "verify-full"]

    /// The warnings of `serve`. There are none in development.
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
        return "the line to the database may be in clear: sslmode is \(mode)"
            + (parameter("sslmode") == nil && defaultMode == nil ? ", libpq's default" : "")
            + ". Add ?sslmode=verify-full&sslrootcert=FILE to database.url, FILE holding the authority that signed "
            + "the server's certificate."
    }

    private var mode: String { parameter("sslmode") ?? defaultMode ?? "prefer" }

    /// The last one counts, as with libpq.
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

    /// Nothing, and a path, are sockets.
    private static func isLocal(_ host: Substring) -> Bool {
        let name = host.removingPercentEncoding ?? String(host)
        return name.isEmpty || name.hasPrefix("/") || name.hasPrefix("[::1]") || name == "::1"
            || ["localhost", "127."].contains(where: name.hasPrefix)
    }
}
