import Foundation

/// Why the service does not start, for whoever started it.
package struct ServeFailure: Error, Sendable, CustomStringConvertible {
    package let reason: String
    package let remedy: String

    package var description: String { "\(reason)\n      \(remedy)" }
}

extension ServeFailure {
    static func port(_ host: String, _ port: Int, setting: Setting, errorCode: Int32) -> ServeFailure {
        let other = "choose another with \(setting.key) (\(setting.variable))"
        switch errorCode {
        case EADDRINUSE:
            return ServeFailure(
                reason: "Port \(port) of \(host) is taken by another program.",
                remedy: "End that one, or \(other).")
        case EACCES:
            return ServeFailure(
                reason: "This user may not listen on port \(port).",
                remedy: "Ports below 1024 are the system's: \(other).")
        case EADDRNOTAVAIL:
            return ServeFailure(
                reason: "\(host) is no address of this machine.",
                remedy: "Set http.host (DAYLY_HTTP_HOST) to one that is, or to 0.0.0.0 for all.")
        default:
            return ServeFailure(
                reason: "Cannot listen on \(host):\(port): \(String(cString: strerror(errorCode))).",
                remedy: "Look at http.host and \(setting.key).")
        }
    }

    /// Strangers' pictures are not decoded with less around them than was asked for.
    static let sandbox = ServeFailure(
        reason: WorkerChecks.refusal.prefix(1).uppercased() + WorkerChecks.refusal.dropFirst() + ".",
        remedy: WorkerChecks.refusalRemedy)

    /// Without a decoder no photo can be sent.
    static func worker(_ finding: Finding) -> ServeFailure {
        ServeFailure(
            reason: "Pictures cannot be decoded: \(finding.message).", remedy: finding.remedy ?? "")
    }

    static func database(_ reason: String) -> ServeFailure {
        ServeFailure(
            reason: "The database cannot be used: \(reason).",
            remedy: "See that PostgreSQL runs and that database.url (DAYLY_DATABASE_URL) names it; "
                + "`dayly doctor` looks closer.")
    }
}
