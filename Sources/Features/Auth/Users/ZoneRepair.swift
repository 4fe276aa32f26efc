import Foundation
import Logging
import Postgres

/// Gives users another name of their time zone where PostgreSQL does not know theirs: after an upgrade of its system, which may
/// forget old names, or a failover to an older one, which lacks new ones. PostgreSQL refuses every statement with such a name.
///
/// Runs before the service serves, and whenever PostgreSQL refuses a name (`PostgresConfiguration.zoneRepair`).
package struct ZoneRepair: Sendable {
    private let zones: TimeZoneStore
    private let logger: Logger

    package init(postgres: PostgresClient, logger: Logger) {
        zones = TimeZoneStore(postgres: postgres)
        self.logger = logger
    }

    /// Zones of users that PostgreSQL knows under no name.
    package func unknownZones() async throws -> [String] {
        var unknown: [String] = []
        for name in try await zones.inUse() where try await zones.storedName(of: name) == nil {
            unknown.append(name)
        }
        return unknown
    }

    package func run() async throws {
        await zones.forget()
        let now = try await zones.now()
        for name in try await zones.inUse() {
            let stored = try await zones.storedName(of: name)
            guard stored != name else { continue }
            let new = stored ?? Self.fixedZone(like: name, at: now)
            var users = 0
            while case let renamed = try await zones.rename(name, to: new), renamed > 0 { users += renamed }
            guard users > 0 else { continue }
            logger.log(
                level: stored == nil ? .warning : .notice,
                stored == nil
                    ? "PostgreSQL does not know a time zone; its users have the nearest fixed offset now"
                    : "a time zone has a new name",
                metadata: ["zone": "\(name)", "new": "\(new)", "users": "\(users)"])
        }
    }

    /// The zone of whole hours that is nearest to the present offset of a zone that only Foundation knows; UTC for any other name.
    static func fixedZone(like name: String, at date: Date) -> String {
        guard let zone = TimeZone(identifier: name) else { return "UTC" }
        let hours = Int((Double(zone.secondsFromGMT(for: date)) / 3_600).rounded())
        // The signs of these names are those of POSIX: west is positive.
        return hours == 0 ? "UTC" : "Etc/GMT\(hours < 0 ? "+" : "-")\(abs(hours))"
    }
}
