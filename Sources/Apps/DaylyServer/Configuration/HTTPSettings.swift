import Settings

package struct HTTPSettings: SettingGroup {
    @Setting("http.host", .text, default: "127.0.0.1", "The address to listen on.")
    package var host: String

    @Setting("http.port", .number(1...65_535), default: "8080", "The port to listen on.")
    package var port: Int

    @Setting(
        "http.public_url", .webURL,
        default: .derived("`http://127.0.0.1` and the port in development") { text in
            isDevelopment(text) ? "http://127.0.0.1:" + (text("http.port") ?? "") : nil
        },
        "The address for clients, in URLs and SMS; https and required in production.",
        remedy: "Set it to the https:// URL under which phones reach this service.")
    package var publicURL: String

    @Setting(
        "http.admin_port", .number(0...65_535), default: "9464",
        "Serves `/metrics`, `/healthz` and `/readyz` on the loopback interface only; 0: off.")
    package var adminPort: Int

    @Setting(
        "http.trusted_proxies", .addresses,
        "Addresses or blocks of proxies whose `X-Forwarded-For` is believed.")
    package var trustedProxies: [String]

    @Setting(
        "http.drain_delay", .duration(.zero ... .seconds(60)),
        default: .derived("`2s` where `http.trusted_proxies` names a proxy, else `0s`") { text in
            text("http.trusted_proxies") == nil ? "0s" : "2s"
        },
        "After SIGTERM `/readyz` answers 503 for this time before the listener closes, so that a load balancer "
            + "chooses another process first."
    )
    package var drainDelay: Duration

    @Setting(
        "http.max_connections", .number(1...1_000_000), default: "10000",
        "Open connections; beyond it the answer is 503. Each takes a file descriptor; 512 are for "
            + "everything else."
    )
    package var maxConnections: Int

    @Setting(
        "http.max_requests", .number(1...100_000),
        default: .derived("16 for each of `database.max_connections`") { text in
            "\(16 * (text("database.max_connections").flatMap { Int($0) } ?? 8))"
        },
        "Requests in progress except uploads; beyond it the answer is 503. A stream counts up to its first "
            + "byte."
    )
    package var maxRequests: Int

    @Setting(
        "http.max_uploads", .number(1...100_000), default: "256",
        "Uploads in progress, from header to answer; beyond it the answer is 503.")
    package var maxUploads: Int

    package init() {}

    /// The origin that a browser sees: the public URL without a path.
    var origin: String { Self.origin(of: publicURL) }

    /// A URL's scheme, host and port.
    static func origin(of url: String) -> String {
        guard let scheme = url.range(of: "://") else { return url }
        let end = url[scheme.upperBound...].firstIndex { $0 == "/" || $0 == "?" } ?? url.endIndex
        return String(url[..<end])
    }
}
