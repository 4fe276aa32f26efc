import HTTPTypes

/// Finds the traits of a request by its method and target, before the router sees it. It knows only the routes that
/// overload treats specially.
package struct RouteTable: Sendable {
    private struct Entry: Sendable {
        let method: String
        /// The parts of the path; nil stands for a parameter.
        let parts: [[UInt8]?]
        let traits: Set<Route.Trait>
    }

    private let entries: [Entry]

    /// - Parameter prefix: the path before that of every route, as in `/v1`.
    package init(_ routes: [Route], below prefix: String) {
        entries = routes.filter { !$0.traits.isDisjoint(with: [.bulk, .exempt]) }.map { route in
            let parts = (prefix + "/" + route.path).utf8.split(separator: UInt8(ascii: "/"))
            return Entry(
                method: route.method.rawValue,
                parts: parts.map { $0.first == UInt8(ascii: ":") ? nil : Array($0) }, traits: route.traits)
        }
    }

    package init(_ tables: [RouteTable]) {
        entries = tables.flatMap(\.entries)
    }

    /// A table of one route that is not declared as a `Route`.
    ///
    /// - Parameter path: the whole path, with its slash at the start; a part such as `:id` stands for a parameter.
    package init(_ method: HTTPRequest.Method, _ path: String, _ traits: Route.Trait...) {
        let parts = path.utf8.split(separator: UInt8(ascii: "/"))
        entries = [
            Entry(
                method: method.rawValue,
                parts: parts.map { $0.first == UInt8(ascii: ":") ? nil : Array($0) }, traits: Set(traits))
        ]
    }

    /// - Parameter target: the request's target, with its query. A HEAD request has the traits of the GET.
    /// - Returns: no traits for a path that is not in the table.
    package func traits(method: String, target: String) -> Set<Route.Trait> {
        let path = target.utf8.prefix { $0 != UInt8(ascii: "?") }
        let method = method == "HEAD" ? "GET" : method
        for entry in entries where entry.method == method && Self.matches(entry.parts, path) {
            return entry.traits
        }
        return []
    }

    private static func matches(_ parts: [[UInt8]?], _ path: Substring.UTF8View) -> Bool {
        var rest = path
        for part in parts {
            guard rest.first == UInt8(ascii: "/") else { return false }
            rest = rest.dropFirst()
            let found = rest.prefix { $0 != UInt8(ascii: "/") }
            guard part.map({ found.elementsEqual($0) }) ?? !found.isEmpty else { return false }
            rest = rest[found.endIndex...]
        }
        return rest.isEmpty
    }
}
