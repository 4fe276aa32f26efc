/// Why a command cannot do its work, in sentences for the operator.
package struct CommandFailure: Error, Sendable, CustomStringConvertible {
    package let reason: String
    package let remedy: String

    package init(reason: String, remedy: String) {
        self.reason = reason
        self.remedy = remedy
    }

    package var description: String { "\(reason)\n      \(remedy)" }
}
