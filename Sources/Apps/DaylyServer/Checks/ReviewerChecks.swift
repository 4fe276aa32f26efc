import Auth
import Foundation

/// Numbers with a fixed code: what is over does nothing any more and is to be taken out.
struct ReviewerChecks: Sendable {
    let configuration: ServerConfiguration
    let now: Date

    func findings() -> [Finding] {
        configuration.auth.reviewNumbers.map { reviewer in
            reviewer.isOpen(at: now)
                ? .ok(
                    "auth.reviewers",
                    "\(reviewer.number.masked) has a fixed code to the end of \(reviewer.lastDay)")
                : .problem(
                    "auth.reviewers",
                    "the fixed code of \(reviewer.number.masked) ended with \(reviewer.lastDay)",
                    remedy: "Take it out of auth.reviewers, or give it a new last day.")
        }
    }
}
