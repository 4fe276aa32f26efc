import ObjectStorage

/// One setting of the bucket and its state.
package struct BucketRow: Sendable, Encodable, Equatable {
    package enum State: String, Sendable, Encodable {
        /// The setting is correct and was correct before.
        case inOrder = "in_order"
        /// This run has set it.
        case set
        /// The setting is not correct; `dayly bucket apply` corrects it.
        case differs
        /// The server does not have this setting.
        case unsupported
        /// These credentials may not read it, or may not set it.
        case forbidden
        /// The server does not accept it.
        case failed
        /// Dayly must not use the bucket in this state and cannot correct it.
        case refused
    }

    /// `lifecycle`
    package let setting: String
    package let state: State
    package let message: String
    /// The remedy, or the consequence.
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
