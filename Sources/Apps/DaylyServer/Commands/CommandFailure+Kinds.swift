import CommandKit
import Foundation
import Postgres
import Settings

extension CommandFailure {
    static func port(_ host: String, _ port: Int, setting: DeclaredSetting, errorCode: Int32)
        -> CommandFailure
    {
        let other = "choose another with \(setting.key) (\(setting.variable))"
        switch errorCode {
        case EADDRINUSE:
            return CommandFailure(
                reason: "Another program uses port \(port) of \(host).",
                remedy: "End that program, or \(other).")
        case EACCES:
            return CommandFailure(
                reason: "This user may not listen on port \(port).",
                remedy: "Ports below 1024 are reserved for the system: \(other).")
        case EADDRNOTAVAIL:
            return CommandFailure(
                reason: "\(host) is not an address of this machine.",
                remedy:
                    "Set http.host (DAYLY_HTTP_HOST) to an address of this machine, or to 0.0.0.0 for all.")
        default:
            return CommandFailure(
                reason: "Cannot listen on \(host):\(port): \(String(cString: strerror(errorCode))).",
                remedy: "Check http.host and \(setting.key).")
        }
    }

    /// Strangers' pictures must not be decoded under weaker protection than the configuration requires.
    static let sandbox = CommandFailure(
        reason: WorkerChecks.refusal.prefix(1).uppercased() + WorkerChecks.refusal.dropFirst() + ".",
        remedy: WorkerChecks.refusalRemedy)

    /// Without a decoder members cannot send photos.
    static func worker(_ finding: Finding) -> CommandFailure {
        CommandFailure(
            reason: "Pictures cannot be decoded: \(finding.message).", remedy: finding.remedy ?? "")
    }

    /// With the remedy that `dayly doctor` has.
    static func database(_ error: PostgresError) -> CommandFailure {
        let finding = DatabaseChecks.finding(error)
        return CommandFailure(
            reason: "The database cannot be used: \(FailureText.of(error)).", remedy: finding.remedy ?? "")
    }
}
