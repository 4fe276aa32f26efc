import CPostgres
import Synchronization

/// The servers that a libpq URL names, as libpq itself reads them.
package struct DatabaseHosts: Sendable, Equatable {
    private let names, addresses, ports: [String]
    /// The URL's `target_session_attrs`, if it has one.
    package let sessionAttributes: String?

    /// - Parameter url: a URL that libpq refuses counts as one host; connecting reports the fault.
    package init(url: String) {
        let values = Self.parameters(of: url)
        func list(_ name: String) -> [String] {
            guard let value = values[name], !value.isEmpty else { return [] }
            return value.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
        (names, addresses, ports) = (list("host"), list("hostaddr"), list("port"))
        sessionAttributes = values["target_session_attrs"]
    }

    package var count: Int { max(1, names.count, addresses.count) }

    /// Whether connections go to a server that takes writes, whichever of the hosts that is. Dayly asks for such a server
    /// itself, unless the URL asks for another.
    package var findsPrimary: Bool {
        ["read-write", "primary"].contains(sessionAttributes ?? "read-write")
    }

    /// The place of the host that a connection uses; nil when the URL does not name it.
    func index(of connection: OpaquePointer) -> Int? {
        func text(_ value: UnsafePointer<CChar>?) -> String { value.map { String(cString: $0) } ?? "" }
        let (host, port) = (text(PQhost(connection)), text(PQport(connection)))
        return (0..<count).first { place in
            let own = ports.count == 1 ? ports[0] : element(of: ports, place) ?? port
            return (own.isEmpty || own == port)
                && [element(of: names, place), element(of: addresses, place)].contains(host)
        }
    }

    /// The parameters that make libpq try the hosts in turn from this one on; none for a single host.
    func parameters(startingAt first: Int) -> [(keyword: String, value: String)] {
        guard (1..<count).contains(first) else { return [] }
        return [("host", names), ("hostaddr", addresses), ("port", ports)].compactMap { keyword, list in
            guard list.count == count else { return nil }
            return (keyword, (list[first...] + list[..<first]).joined(separator: ","))
        }
    }

    private func element(of list: [String], _ place: Int) -> String? {
        list.indices.contains(place) ? list[place] : nil
    }

    private static func parameters(of url: String) -> [String: String] {
        guard let options = PQconninfoParse(url, nil) else { return [:] }
        defer { PQconninfoFree(options) }
        var values: [String: String] = [:]
        var option = options
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val { values[String(cString: keyword)] = String(cString: value) }
            option += 1
        }
        return values
    }
}

/// The host that took the last connection. The next attempt begins with it, so that a host that is down for long delays
/// one connection and not each.
package final class LatestHost: Sendable {
    private let place = Atomic(0)

    package init() {}

    var index: Int {
        get { place.load(ordering: .relaxed) }
        set { place.store(newValue, ordering: .relaxed) }
    }
}
