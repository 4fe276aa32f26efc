import CompanionRules
import DeviceIntake
import FeatureKit
import Postgres

/// The time that the clocks of a zone show at an instant.
struct CompanionClock: Sendable, Hashable {
    /// From 1 for Monday to 7 for Sunday.
    let weekday: Int
    /// The whole minutes since 00:00.
    let minute: Int
}

/// The clocks of one zone at the instants that a transaction asks about. PostgreSQL computes them, many at a time.
struct CompanionClocks {
    private let zone: String
    /// The instants that may be asked about and are not known yet.
    private var expected: Set<Instant>
    private var known: [Instant: CompanionClock] = [:]

    init(zone: String, expecting instants: some Sequence<Instant> = []) {
        self.zone = zone
        expected = Set(instants)
    }

    mutating func clock(_ tx: PostgresTransaction, at instant: Instant) throws -> CompanionClock {
        if let clock = known[instant] { return clock }
        expected.insert(instant)
        let found = try CompanionClockStore.clocks(tx, at: expected.sorted(), zone: zone)
        known.merge(found) { $1 }
        expected = []
        guard let clock = known[instant] else {
            throw PostgresError.decoding("the clocks of a zone show nothing at an instant")
        }
        return clock
    }
}

/// SQL that reads the clocks of a zone.
enum CompanionClockStore {
    static func clocks(
        _ tx: PostgresTransaction, at instants: [Instant], zone: String
    ) throws -> [Instant: CompanionClock] {
        try tx.query(
            """
            SELECT t.at, extract(isodow FROM local.time)::integer AS weekday,
                (extract(hour FROM local.time) * 60 + extract(minute FROM local.time))::integer AS minute
            FROM unnest(\(instants)) AS t (at)
            CROSS JOIN LATERAL (SELECT to_timestamp(t.at::bigint) AT TIME ZONE zone_named(\(zone)) AS time) AS local
            """
        ).reduce(into: [:]) { clocks, row in
            clocks[try row.get("at")] = CompanionClock(
                weekday: try row.get("weekday"), minute: try row.get("minute"))
        }
    }
}
