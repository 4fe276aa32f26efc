/// What a look at one part of the service found.
package struct Finding: Sendable, Encodable, Equatable {
    package enum Verdict: String, Sendable, Encodable {
        /// In order.
        case ok
        /// Not in order.
        case problem
        /// In order as far as it goes; something to know of.
        case warning
        /// Not looked at, because something before it is not in order, or because it is not in use.
        case skipped
    }

    /// What was looked at: `database`.
    package let check: String
    package let verdict: Verdict
    package let message: String
    /// What mends it, or what follows from it.
    package let remedy: String?

    static func ok(_ check: String, _ message: String) -> Finding {
        Finding(check: check, verdict: .ok, message: message, remedy: nil)
    }

    static func problem(_ check: String, _ message: String, remedy: String) -> Finding {
        Finding(check: check, verdict: .problem, message: message, remedy: remedy)
    }

    static func warning(_ check: String, _ message: String, remedy: String? = nil) -> Finding {
        Finding(check: check, verdict: .warning, message: message, remedy: remedy)
    }

    static func skipped(_ check: String, _ message: String) -> Finding {
        Finding(check: check, verdict: .skipped, message: message, remedy: nil)
    }

    /// A line, and a second one for the remedy.
    package var text: String {
        let mark =
            switch verdict {
            case .ok: "ok      "
            case .problem: "PROBLEM "
            case .warning: "warning "
            case .skipped: "skipped "
            }
        return "\(mark) \(check): \(message)" + (remedy.map { "\n           \($0)" } ?? "")
    }
}
