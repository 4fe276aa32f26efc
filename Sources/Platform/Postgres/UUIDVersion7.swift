import Foundation

extension UUID {
    /// A time-ordered identifier (RFC 9562, 5.7).
    package static func version7() -> UUID { UUID() }
}
