import CompanionRules
import Postgres

/// The midnights of a zone, for the days that end from a running day on. PostgreSQL alone computes zones.
struct CompanionMidnights: Sendable {
    /// The local date at the end of the running day, which is the name of the next one.
    let nextDay: DayNumber
    /// Oldest first.
    let midnights: [Midnight]

    /// The midnights among which the end of a day must lie that begins at an instant. Two dates may lie between a day's
    /// name and its end, and a zone may leave a date out.
    func candidates(after instant: Instant) -> some Sequence<Midnight> {
        let first = midnights.partition(at: instant)
        return midnights[first...].prefix(6)
    }

    /// The name of a day that begins at a midnight.
    func date(of instant: Instant) -> DayNumber? {
        let place = midnights.partition(at: instant - 1)
        guard place < midnights.endIndex, midnights[place].at == instant else { return nil }
        return midnights[place].date
    }
}

extension [Midnight] {
    /// The place of the first midnight after an instant.
    fileprivate func partition(at instant: Instant) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = (low + high) / 2
            if self[middle].at > instant { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

/// A running day by which midnights are asked for. Accounts of one zone mostly share one.
struct CompanionDayKey: Hashable, Sendable {
    let zone: String
    let day: DayNumber
    let endsAt: Instant

    init(zone: String, day: DayNumber, endsAt: Instant) {
        self.zone = zone
        self.day = day
        self.endsAt = endsAt
    }

    init(_ owner: CompanionOwner) {
        self.init(zone: owner.zone, day: owner.day, endsAt: owner.dayTimes.endsAt)
    }
}

/// SQL that computes midnights.
enum CompanionMidnightStore {
    /// The midnights after each day, up to some days after today.
    static func find(
        _ tx: PostgresTransaction, _ keys: [CompanionDayKey]
    ) throws -> [CompanionDayKey: CompanionMidnights] {
        let rows = try tx.query(
            """
            SELECT k.place, local_day(to_timestamp(k.ends_at), k.zone) - DATE '1970-01-01' AS next_day,
                m.dates, m.instants
            FROM unnest(\(keys.map(\.zone)), \(keys.map(\.day)), \(keys.map(\.endsAt))) WITH ORDINALITY
                AS k (zone, day, ends_at, place)
            CROSS JOIN LATERAL (
                SELECT array_agg(local_day(midnight, k.zone) - DATE '1970-01-01' ORDER BY midnight) AS dates,
                    array_agg(extract(epoch FROM midnight)::bigint ORDER BY midnight) AS instants
                FROM (
                    SELECT DISTINCT end_of_local_day(DATE '1970-01-01' + n::integer, k.zone) AS midnight
                    FROM generate_series(
                        k.day, greatest(k.day, local_day(now(), k.zone) - DATE '1970-01-01') + 3) AS n
                ) AS each
            ) AS m
            """)
        return try rows.reduce(into: [:]) { found, row in
            let place: Int = try row.get("place")
            let (dates, instants): ([Int], [Int]) = (try row.get("dates"), try row.get("instants"))
            found[keys[place - 1]] = CompanionMidnights(
                nextDay: try row.get("next_day"),
                midnights: zip(dates, instants).map { Midnight(date: $0, at: $1) })
        }
    }
}
