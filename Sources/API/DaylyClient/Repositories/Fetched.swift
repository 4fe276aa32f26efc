/// Which version of an answer an app has: the `ETag` that came with it.
public struct EntityVersion: Sendable, Hashable, Codable {
    public let tag: String

    public init(tag: String) {
        self.tag = tag
    }
}

/// An answer to an app that may have it already.
public enum Fetched<Value: Sendable>: Sendable {
    /// The value that came with the version is still right.
    case unchanged
    case changed(Value, EntityVersion?)

    /// Nil for ``unchanged``.
    public var value: Value? {
        if case .changed(let value, _) = self { value } else { nil }
    }

    /// The same with another value.
    package func map<Other>(_ transform: (Value) -> Other) -> Fetched<Other> {
        switch self {
        case .unchanged: .unchanged
        case .changed(let value, let version): .changed(transform(value), version)
        }
    }
}
