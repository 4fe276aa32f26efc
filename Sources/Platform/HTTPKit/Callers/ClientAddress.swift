import NIOCore

/// The network address of a client.
package struct ClientAddress: Hashable, Sendable, CustomStringConvertible {
    /// 4 or 16 bytes in network order. An IPv4 address mapped to IPv6 (`::ffff:…`) has 4.
    let bytes: [UInt8]

    /// - Returns: nil for a text that is neither an IPv4 nor an IPv6 address. Names are not looked up.
    package init?(_ text: some StringProtocol) {
        guard let address = try? SocketAddress(ipAddress: String(text), port: 0) else { return nil }
        self.init(address)
    }

    /// - Returns: nil for a UNIX socket.
    package init?(_ address: SocketAddress?) {
        switch address {
        case .v4(let address):
            bytes = withUnsafeBytes(of: address.address.sin_addr) { Array($0) }
        case .v6(let address):
            let all = withUnsafeBytes(of: address.address.sin6_addr) { Array($0) }
            let mapped = all.prefix(10).allSatisfy { $0 == 0 } && all[10] == 0xff && all[11] == 0xff
            bytes = mapped ? Array(all.suffix(4)) : all
        case .unixDomainSocket, nil:
            return nil
        }
    }

    package var description: String { Self.text(bytes) }

    package var isIPv4: Bool { bytes.count == 4 }

    /// The block that limits count by, because one person has many addresses: the /24 of an IPv4 address, the /64 of an
    /// IPv6 address.
    package var block: String { block(ofLength: isIPv4 ? 24 : 64) }

    /// The block that contains this address, such as `198.51.0.0/16`.
    ///
    /// - Parameter length: in bits, a multiple of 8.
    package func block(ofLength length: Int) -> String {
        let kept = bytes.prefix(length / 8) + [UInt8](repeating: 0, count: max(0, bytes.count - length / 8))
        return "\(Self.text(Array(kept)))/\(length)"
    }

    /// Dotted, or eight groups without abbreviation, so that each address has one spelling.
    private static func text(_ bytes: [UInt8]) -> String {
        guard bytes.count == 16 else { return bytes.map(String.init).joined(separator: ".") }
        return stride(from: 0, to: 16, by: 2)
            .map { String(UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]), radix: 16) }
            .joined(separator: ":")
    }
}

/// The proxies whose `X-Forwarded-For` is believed: addresses or CIDR blocks.
package struct TrustedProxies: Sendable {
    package static let none = TrustedProxies(blocks: [])

    private struct Block: Sendable {
        var address: ClientAddress
        var prefixLength: Int

        func contains(_ other: ClientAddress) -> Bool {
            guard address.bytes.count == other.bytes.count else { return false }
            var left = prefixLength
            for (mine, theirs) in zip(address.bytes, other.bytes) where left > 0 {
                let mask = left >= 8 ? 0xff : ~(UInt8(0xff) >> UInt8(left))
                guard mine & mask == theirs & mask else { return false }
                left -= 8
            }
            return true
        }
    }

    /// The number of entries of a forwarded-for list that are read.
    private static let maxHops = 20
    private let blocks: [Block]

    private init(blocks: [Block]) {
        self.blocks = blocks
    }

    /// - Throws: `InvalidEntry` for an entry that is neither an address nor a block.
    package init(_ entries: [String]) throws(InvalidEntry) {
        var blocks: [Block] = []
        for entry in entries {
            let parts = entry.trimmingWhitespace.split(separator: "/", omittingEmptySubsequences: false)
            guard let address = ClientAddress(parts[0]), parts.count <= 2 else {
                throw InvalidEntry(entry: entry)
            }
            let bits = address.bytes.count * 8
            guard let length = parts.count == 2 ? Int(parts[1]) : bits, (0...bits).contains(length) else {
                throw InvalidEntry(entry: entry)
            }
            blocks.append(Block(address: address, prefixLength: length))
        }
        self.blocks = blocks
    }

    package struct InvalidEntry: Error, Equatable {
        package let entry: String
    }

    /// The rightmost address that is not a trusted proxy. Anybody may have written the addresses to its left.
    func clientAddress(peer: SocketAddress?, forwardedFor fields: [String]) -> ClientAddress? {
        guard var client = ClientAddress(peer) else { return nil }
        let hops = fields.flatMap { $0.split(separator: ",") }.reversed().prefix(Self.maxHops)
        for hop in hops {
            guard isTrusted(client), let next = Self.address(ofHop: hop.trimmingWhitespace) else { break }
            client = next
        }
        return client
    }

    private func isTrusted(_ address: ClientAddress) -> Bool {
        blocks.contains { $0.contains(address) }
    }

    /// Some proxies add a port: `203.0.113.7:4711`, `[2001:db8::7]:4711`.
    private static func address(ofHop hop: Substring) -> ClientAddress? {
        if let address = ClientAddress(hop) { return address }
        if hop.hasPrefix("["), let close = hop.firstIndex(of: "]") {
            return ClientAddress(hop[hop.index(after: hop.startIndex)..<close])
        }
        guard hop.count(where: { $0 == ":" }) == 1 else { return nil }
        return ClientAddress(hop.prefix { $0 != ":" })
    }
}
