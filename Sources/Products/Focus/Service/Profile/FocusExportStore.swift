import DeviceIntake
import FeatureKit
import FocusRules
import Foundation
import HTTPKit
import Postgres

/// SQL that exports what is measured about a user, and what boards and leagues keep.
enum FocusExportStore {
    static func hasProfile(_ tx: PostgresTransaction, _ user: UserID) throws -> Bool {
        try tx.first("SELECT 1 AS one FROM focus_profiles WHERE user_id = \(user)") != nil
    }

    static func measured(_ tx: PostgresTransaction, _ user: UserID) throws -> [String: JSONValue] {
        [
            "profile": .object(
                try tx.one(
                    """
                    SELECT consent, nickname, nickname_set_at, boards, leagues, feed, morning, joined_at, joined_on,
                        tier, pro_until, pro_granted_until, goal_minutes, next_goal_minutes, next_goal_on, goal_streak, lives, judged_on,
                        usage_on, usage_minutes, closed_on, synced_at, xp, coins, record_on, record_seconds
                    FROM focus_profiles WHERE user_id = \(user)
                    """
                ).exported()),
            "devices": try tx.exported(
                """
                SELECT id, number, platform, setup, reason, verified_at, status, issue, issue_hours, created_at, synced_at,
                    deleted_at, last_seq, last_event_at, last_unlock_at
                FROM focus_devices WHERE user_id = \(user) ORDER BY number
                """),
            "days": try tx.exported(
                """
                SELECT day, points, streak_count, longest_streak, estimated, minutes, rating
                FROM focus_days WHERE user_id = \(user) ORDER BY day
                """),
            "weeks": try tx.exported(
                """
                SELECT week, points, streak_count, longest_streak, estimated, xp, usage_points
                FROM focus_weeks WHERE user_id = \(user) ORDER BY week
                """),
            "events": try events(tx, user),
        ]
    }

    static func compared(_ tx: PostgresTransaction, _ user: UserID) throws -> [String: JSONValue] {
        [
            "results": try tx.exported(
                """
                SELECT group_id, week, rank, points, streak_count, longest_streak, estimated, status
                FROM focus_results WHERE user_id = \(user) ORDER BY week, group_id
                """),
            "seats": try tx.exported(
                """
                SELECT week, tier, number, seated_at, place, points, xp, next_tier
                FROM focus_seats WHERE user_id = \(user) ORDER BY week
                """),
        ]
    }

    /// The accepted events of the last 90 days, by phone and `seq`. There may be hundreds of thousands, so each becomes text at once.
    private static func events(_ tx: PostgresTransaction, _ user: UserID) throws -> JSONValue {
        let now: Instant = try tx.one("SELECT extract(epoch FROM date_trunc('second', now()))::bigint AS now")
            .get("now")
        let ids = try tx.query("SELECT number, id FROM focus_devices WHERE user_id = \(user)")
            .reduce(into: [DeviceNumber: UUID]()) {
                $0[try $1.get("number")] = try $1.get("id", as: UUID.self)
            }
        let since = now - 90 * secondsPerDay
        return try .array { add in
            try FocusEventStore.forEachDay(
                tx, of: user, devices: ids.keys.sorted(), from: utcDay(of: since)
            ) { day in
                for event in day.events where event.at >= since {
                    add(.object(members(of: event, in: day, from: ids[day.device])))
                }
            }
        }
    }

    private static func members(
        of event: FocusEvent, in day: FocusEventDay, from device: UUID?
    ) -> [String: JSONValue] {
        var members: [String: JSONValue] = [
            "device_id": device.map { .string(ID<FocusDeviceState>($0).resourceID.description) } ?? .null,
            "seq": .int(event.seq), "at": .date(Date(instant: event.at)),
            "local_day": .string(isoText(day: event.day)),
        ]
        switch event.content {
        case .lock(let source):
            members["kind"] = "lock"
            members["source"] = .string(source.rawValue)
        case .unlock(let source, let verifies):
            members["kind"] = "unlock"
            members["source"] = .string(source.rawValue)
            members["verifies"] = .bool(verifies)
        case .open(let place):
            members["kind"] = "open"
            let intention = day.intentions.indices.contains(place) ? day.intentions[place] : nil
            members["intention_id"] =
                intention.map { .string(ID<FocusEvent>($0).resourceID.description) } ?? .null
        case .usage(let reported, let minutes, let isFinal):
            members["kind"] = "usage"
            members["day"] = .string(isoText(day: reported))
            members["minutes"] = .int(minutes)
            members["final"] = .bool(isFinal)
        }
        return members
    }
}
