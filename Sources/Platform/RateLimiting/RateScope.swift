/// The name of a limit. Limits with different windows have different names.
package struct RateScope: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// A limit may keep a part of itself for some callers. Each part has a counter of its own.
    package enum Part: String, Sendable {
        case whole = ""
        /// For callers that the service knows.
        case known = ".known"
        /// For all other callers.
        case stranger = ".stranger"
    }

    private let base: String
    package let part: Part
    /// Whether several callers use up the limit together. An answer to one of them does not name such a limit.
    package let isShared: Bool

    package init(_ base: String, part: Part = .whole, isShared: Bool = false) {
        self.base = base
        self.part = part
        self.isShared = isShared
    }

    package init(stringLiteral name: String) {
        self.init(name)
    }

    /// The text in the database, in metrics, and in the header fields `RateLimit` and `RateLimit-Policy`:
    /// `code.number.hour.stranger`.
    package var name: String { base + part.rawValue }
    package var description: String { name }

    /// The scope of the whole limit.
    package var whole: RateScope { RateScope(base, isShared: isShared) }

    package func part(_ part: Part) -> RateScope {
        RateScope(base, part: part, isShared: isShared)
    }

    package static func == (left: RateScope, right: RateScope) -> Bool { left.name == right.name }
    package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
