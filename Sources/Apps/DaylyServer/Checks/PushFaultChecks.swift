import Foundation
import Logging
import Notifications
import Push

/// Reports the faults that running services have met with push providers. A check with a made-up device cannot tell
/// credentials of another project, topic or environment; the devices that are registered can.
struct PushFaultChecks: Sendable {
    let configuration: ServerConfiguration
    let logger: Logger

    /// Says nothing where all is well, and where the database cannot be asked, which has a finding of its own.
    func findings() async -> [Finding] {
        var names: [PushPlatform: String] = [:]
        if configuration.push.apns != nil { names[.ios] = "apns" }
        if configuration.push.fcm != nil { names[.android] = "fcm" }
        guard !names.isEmpty else { return [] }
        let database = Connections.database(configuration, maxConnections: 1, logger: logger)
        let faults = try? await PushFaultStore(postgres: database).all()
        await database.close()
        return (faults ?? []).compactMap { fault in
            names[fault.platform].map { Self.finding($0, fault) }
        }
    }

    static func finding(_ name: String, _ fault: PushFault) -> Finding {
        let since = fault.since.formatted(.iso8601)
        return .problem(
            "push",
            "\(name) takes no message of the running service since \(since): it refuses us or knows none of our "
                + "devices (\(fault.reason))",
            remedy: PushCommand.remedy(name, .misconfigured(reason: fault.reason)))
    }
}
