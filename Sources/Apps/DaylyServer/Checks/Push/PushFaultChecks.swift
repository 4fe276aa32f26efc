import Foundation
import Logging
import Notifications
import Push

/// Reports the faults of push providers that running services have recorded. A check with an invented device cannot detect
/// credentials of another project, topic or environment; deliveries to registered devices can.
struct PushFaultChecks: Sendable {
    let configuration: ServerConfiguration
    let logger: Logger

    /// - Returns: No finding if there is no fault, nor if the database does not answer, which `DatabaseChecks` reports.
    func findings() async -> [Finding] {
        var names: [PushPlatform: String] = [:]
        if configuration.push.apns != nil { names[.ios] = "apns" }
        if configuration.push.fcm != nil { names[.android] = "fcm" }
        if configuration.push.web != nil { names[.web] = "web" }
        guard !names.isEmpty else { return [] }
        let faults = try? await configuration.withAnyDatabase(logger: logger) {
            try await PushFaultStore(postgres: $0).all()
        }
        return (faults ?? []).compactMap { fault in
            names[fault.platform].map { Self.finding($0, fault) }
        }
    }

    static func finding(_ name: String, _ fault: PushFault) -> Finding {
        let since = fault.since.formatted(.iso8601)
        return .problem(
            "push",
            "since \(since) \(name) has accepted no message of the running service: it refuses our credentials or "
                + "does not know our devices (\(fault.reason))",
            remedy: PushDiagnosis.remedy(name, .misconfigured(reason: fault.reason)))
    }
}
