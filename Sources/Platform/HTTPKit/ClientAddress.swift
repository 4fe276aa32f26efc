import NIOCore

/// Where a request comes from.
package struct ClientAddress: Hashable, Sendable, CustomStringConvertible {
    /// Without a port.
    package let description: String
    /// What limits count by: the /24 of an IPv4 address, the /64 of an IPv6 one.
    package let block: String
}

/// The proxies whose `X-Forwarded-For` is believed: addresses or CIDR blocks.
package struct TrustedProxies: Sendable {
    package static let none = TrustedProxies()

    private init() {}

    /// - Throws: `InvalidEntry` for what is neither an address nor a block.
    package init(_ entries: [String]) throws(InvalidEntry) {
    }

    package struct InvalidEntry: Error {
        package let entry: String
    }
}
