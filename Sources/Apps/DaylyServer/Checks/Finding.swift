import CommandKit

/// The result of a check of one part of the service.
package struct Finding: Sendable, Encodable, Equatable {
    package enum Verdict: String, Sendable, Encodable {
        /// In order.
        case ok
        /// Not in order.
        case problem
        /// In order, with something that the operator should know.
        case warning
        /// Not checked, because an earlier check failed or the part is not in use.
        case skipped
    }

    /// The name of the check: `database`.
    package let check: String
    package let verdict: Verdict
    package let message: String
    /// The remedy, or the consequence.
    package let remedy: String?

    static func ok(_ check: String, _ message: String) -> Finding {
        Finding(check: check, verdict: .ok, message: message, remedy: nil)
    }

    static func problem(_ check: String, _ message: String, remedy: String) -> Finding {
        Finding(check: check, verdict: .problem, message: message, remedy: remedy)
    }

    static func problem(_ check: String, _ failure: CommandFailure) -> Finding {
        let reason = failure.reason.hasSuffix(".") ? failure.reason.dropLast() : failure.reason[...]
        return .problem(
            check, reason.prefix(1).lowercased() + reason.dropFirst(), remedy: failure.remedy)
    }

    static func warning(_ check: String, _ message: String, remedy: String? = nil) -> Finding {
        Finding(check: check, verdict: .warning, message: message, remedy: remedy)
    }

    static func skipped(_ check: String, _ message: String) -> Finding {
        Finding(check: check, verdict: .skipped, message: message, remedy: nil)
    }

    /// One line, and further lines for the remedy.
    package var text: String {
        let mark =
            switch verdict {
            case .ok: "ok      "
            case .problem: "PROBLEM "
            case .warning: "warning "
            case .skipped: "skipped "
            }
        let more = remedy.map { "\n\($0)".replacing("\n", with: "\n           ") } ?? ""
        return "\(mark) \(check): \(message)\(more)"
    }
}
