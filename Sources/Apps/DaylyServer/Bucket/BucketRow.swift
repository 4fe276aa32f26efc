import ObjectStorage

/// One setting of the bucket, and how it stands.
package struct BucketRow: Sendable, Encodable, Equatable {
    package enum State: String, Sendable, Encodable {
        /// As it should be, and was before.
        case inOrder = "in_order"
        /// Set just now.
        case set
        /// Not as it should be; `dayly bucket apply` mends it.
        case differs
        /// The server has no such setting.
        case unsupported
        /// These credentials may not ask, or may not set it.
        case forbidden
        /// The server does not take it.
        case failed
        /// Dayly must not use the bucket like this, and cannot mend it.
        case refused
    }

    /// `lifecycle`
    package let setting: String
    package let state: State
    package let message: String
    /// What mends it, or what follows from it.
    package let remedy: String?

    init(_ setting: String, _ state: State, _ message: String, remedy: String? = nil) {
        self.setting = setting
        self.state = state
        self.message = message
        self.remedy = remedy
    }

    package var text: String {
        let mark =
            switch state {
            case .inOrder: "ok         "
            case .set: "set        "
            case .differs: "DIFFERS    "
            case .unsupported: "unsupported"
            case .forbidden: "FORBIDDEN  "
            case .failed: "FAILED     "
            case .refused: "REFUSED    "
            }
        return "\(mark)  \(setting): \(message)" + (remedy.map { "\n             \($0)" } ?? "")
    }
}
