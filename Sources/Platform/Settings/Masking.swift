/// The one rule for what anybody may see of a setting's value, in `dayly config`, a complaint or the log.
///
/// A URL loses its user information, its fragment and the values of its parameters. A text that should be a URL and
/// cannot be taken apart without doubt is not shown at all.
package enum Masking {
    package static let mask = "****"

    /// A value whose kind is not secret. It may hold a URL nevertheless.
    package static func shown(_ text: String) -> String {
        text.contains("://") ? webURL(text) : text
    }

    static func webURL(_ text: String) -> String { URLParts(text)?.text() ?? hidden(text) }

    /// A libpq URL: its user is shown, and the values of parameters that are known to be harmless.
    package static func databaseURL(_ text: String) -> String {
        guard text.hasPrefix("postgres://") || text.hasPrefix("postgresql://") else { return hidden(text) }
        return URLParts(text)?.text(showsUser: true, parameters: harmless) ?? hidden(text)
    }

    /// Nothing but the length.
    static func hidden(_ text: String) -> String { "\(mask) (\(text.utf8.count) bytes)" }

    private static let harmless: Set<String> = [
        "application_name", "channel_binding", "connect_timeout", "dbname", "gssencmode", "host", "hostaddr",
        "keepalives", "keepalives_count", "keepalives_idle", "keepalives_interval", "load_balance_hosts",
        "port", "sslcert", "sslcrl", "sslkey", "sslmode", "ssl_min_protocol_version", "sslrootcert",
        "target_session_attrs", "tcp_user_timeout", "user",
    ]
}

/// The parts of a URL, without decoding. Nil where an `@` is anywhere but at the end of the user information: a password
/// that was not percent-encoded could look like a host, a path or a parameter.
private struct URLParts {
    private let scheme, hostAndPath: Substring
    private let user, password, query, fragment: Substring?

    init?(_ text: String) {
        let form =
            #/
            ([A-Za-z][A-Za-z0-9+.\-]*:\/\/) (?:([^:\/?\#@]*)(:[^\/?\#@]*)?@)? ([^\/?\#@]*[^?\#@]*) (\?[^\#@]*)? (\#[^@]*)?
            /#
        guard let match = try? form.wholeMatch(in: text) else { return nil }
        (_, scheme, user, password, hostAndPath, query, fragment) = match.output
    }

    /// - Parameter parameters: The names of the parameters whose values are shown.
    func text(showsUser: Bool = false, parameters: Set<String> = []) -> String {
        var text = String(scheme)
        if let user {
            text += showsUser ? user + (password == nil ? "" : ":" + Masking.mask) : Masking.mask
            text += "@"
        }
        text += hostAndPath
        if let query {
            let shown = query.dropFirst().split(separator: "&", omittingEmptySubsequences: false).map {
                Self.shown($0, parameters)
            }
            text += "?" + shown.joined(separator: "&")
        }
        return text + (fragment == nil ? "" : "#" + Masking.mask)
    }

    private static func shown(_ parameter: Substring, _ harmless: Set<String>) -> String {
        guard let end = parameter.firstIndex(of: "=") else { return parameter.isEmpty ? "" : Masking.mask }
        let name = String(parameter[..<end])
        return harmless.contains(name) ? String(parameter) : name + "=" + Masking.mask
    }
}
