import Auth
import Foundation

/// Numbers with a fixed code for app reviewers. An expired entry has no effect and should be removed.
struct ReviewerChecks: Sendable {
    let configuration: ServerConfiguration
    let now: Date

    func findings() -> [Finding] {
        configuration.auth.reviewNumbers.map { reviewer in
            reviewer.isOpen(at: now)
                ? .ok(
                    "auth.reviewers",
                    "\(reviewer.number.masked) has a fixed code until the end of \(reviewer.lastDay)")
                : .problem(
                    "auth.reviewers",
                    "the fixed code of \(reviewer.number.masked) ended with \(reviewer.lastDay)",
                    remedy: "Remove it from auth.reviewers, or give it a new last day.")
        }
    }
}
