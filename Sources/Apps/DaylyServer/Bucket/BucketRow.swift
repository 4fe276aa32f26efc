import ObjectStorage

/// One setting of the bucket and its state.
package struct BucketRow: Sendable, Encodable, Equatable {
    package enum State: String, Sendable, Encodable {
        case inOrder = "in_order"
        /// The setting is not correct; each of the row's lines corrects it.
        case differs
        /// The server does not have this setting.
        case unsupported
        /// These credentials may not read it.
        case forbidden
        /// Dayly must not use the bucket in this state.
        case refused
    }

    /// `lifecycle`
    package let setting: String
    package let state: State
    package let message: String
    /// The remedy, or the consequence.
    package let remedy: String?
    /// Commands by which the bucket's owner mends it: one of them is enough.
    package let lines: [String]

    init(
        _ setting: String, _ state: State, _ message: String, remedy: String? = nil, lines: [String] = []
    ) {
        self.setting = setting
        self.state = state
        self.message = message
        self.remedy = remedy
        self.lines = lines
    }

    /// The remedy with its lines below it.
    var fullRemedy: String? { remedy.map { ([$0] + lines).joined(separator: "\n") } }

    package var text: String {
        let mark =
            switch state {
            case .inOrder: "ok         "
            case .differs: "DIFFERS    "
            case .unsupported: "unsupported"
            case .forbidden: "FORBIDDEN  "
            case .refused: "REFUSED    "
            }
        let more = fullRemedy.map { "\n\($0)".replacing("\n", with: "\n             ") } ?? ""
        return "\(mark)  \(setting): \(message)\(more)"
    }
}
