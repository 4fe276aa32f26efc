/// The push services whose browsers can be reached.
package enum WebPushService: String, Sendable, CaseIterable {
    /// Chrome, Edge on Android and other Chromium browsers.
    case google = "fcm.googleapis.com"
    /// Firefox.
    case mozilla = "updates.push.services.mozilla.com"
    /// Safari, and apps on the home screen of an iPhone.
    case apple = "web.push.apple.com"
    /// Edge on Windows. Each of its data centres has a host below this one.
    case microsoft = "notify.windows.com"

    /// The service of an endpoint, by the forms that its browsers are given.
    init?(host: Substring, target: Substring) {
        let found = Self.allCases.first { service in
            let isHost =
                service == .microsoft
                ? host.hasSuffix("." + service.rawValue)
                    && host.prefix { $0 != "." }.count == host.count - service.rawValue.count - 1
                : host == service.rawValue
            return isHost
                && service.beginnings.contains { target.hasPrefix($0) && target.count > $0.count }
        }
        guard let found else { return nil }
        self = found
    }

    /// How path and query begin. Anything else is another interface of the same host, which answers about our credentials.
    private var beginnings: [String] {
        switch self {
        case .google: ["/fcm/send/", "/wp/"]
        case .mozilla: ["/wpush/v1/", "/wpush/v2/"]
        case .apple: ["/"]
        case .microsoft: ["/w/?token="]
        }
    }

    /// Whether an endpoint may name a host that nobody has ever used, since the service has many.
    var hasManyHosts: Bool { self == .microsoft }

    /// The name of its lane in the outbox.
    package var lane: String { "\(PushPlatform.web.rawValue):\(self)" }
}

/// The URL at a push service that stands for one browser. It comes from the client and this service calls it, so that it is
/// taken apart strictly: a URL that two parsers could read differently is refused.
package struct WebPushEndpoint: Sendable, Hashable {
    static let maxLength = 2_048
    private static let scheme = "https://"

    package let service: WebPushService
    package let url: String
    /// Scheme and host, to which the service's signature is bound (RFC 8292, 2).
    let origin: String

    /// Nil for a URL with another scheme, a user, a port other than 443, a fragment, or a host or path that no known service gives
    /// to browsers.
    package init?(_ text: String) {
        guard text.utf8.count <= Self.maxLength, text.hasPrefix(Self.scheme),
            text.utf8.allSatisfy(Self.isPlain)
        else { return nil }
        let rest = text.dropFirst(Self.scheme.count)
        guard let slash = rest.firstIndex(of: "/") else { return nil }
        var host = rest[..<slash]
        if host.hasSuffix(":443") { host = host.dropLast(4) }
        guard host.utf8.allSatisfy(Self.isOfHost), host.first != "-", host.first != ".",
            let service = WebPushService(host: host, target: rest[slash...])
        else { return nil }
        self.service = service
        origin = Self.scheme + host
        url = origin + rest[slash...]
    }

    /// Path and query.
    var target: Substring { url.dropFirst(origin.count) }

    private static func isOfHost(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."),
            UInt8(ascii: "-"):
            true
        default: false
        }
    }

    /// Letters, digits and the signs that a path and a query may have without being escaped (RFC 3986, 3.3 and 3.4).
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-._~:/?&=%+,;@!$'()*".utf8.contains(byte)
        }
    }
}
