import FeatureKit
import Foundation
import Postgres

/// The rows of each job, and what it does with them.
extension FailingRowTests {
    private static let today: SQL = "(now() AT TIME ZONE 'UTC')::date"
    /// The last week whose close is due.
    private static let week: SQL =
        "(date_trunc('week', now() AT TIME ZONE 'UTC' - interval '17 hours')::date - 7)"

    static let trials: [Trial] = photos + house + focus + focusPurge + companion

    private static let photos: [Trial] = [
        Trial("photo_sweep", "DELETE", "photos", by: "sender_id") { owner in
            [
                """
                INSERT INTO photos (id, group_id, sender_id, sent_on, expires_at, removal_logged, width, height, thumbhash,
                    photo_key, thumbnail_key)
                VALUES (\(UUID.version7()), \(owner.group), \(owner.id), \(fragment: today) - 9,
                    now() - interval '1 day' - \(owner.earlier), true, 9, 9, '\\x01', 'a', 'b')
                """
            ]
        },
        // An upload that was abandoned, and the next part of the job.
        Trial("photo_sweep", "DELETE", "photos", by: "sender_id") { owner in
            [
                """
                INSERT INTO upload_keys (group_id, sender_id, key, photo_id, created_at)
                VALUES (\(owner.group), \(owner.id), 'a', \(UUID.version7()), now() - interval '40 days')
                """,
                """
                INSERT INTO photos (id, group_id, sender_id, sent_on, lease_until, width, height, thumbhash, photo_key,
                    thumbnail_key)
                VALUES (\(UUID.version7()), \(owner.group), \(owner.id), \(fragment: today),
                    now() - interval '1 day' - \(owner.earlier), 9, 9, '\\x01', 'a', 'b')
                """,
            ]
        } due: { owner in
            """
            SELECT 1 AS one FROM photos WHERE sender_id = \(owner.id)
            UNION ALL SELECT 1 AS one FROM upload_keys WHERE sender_id = \(owner.id)
            """
        },
        Trial("photo_sweep", "DELETE", "upload_keys", by: "sender_id") { owner in
            [
                """
                INSERT INTO upload_keys (group_id, sender_id, key, photo_id, created_at)
                VALUES (\(owner.group), \(owner.id), 'a', \(UUID.version7()), now() - interval '40 days')
                """
            ]
        },
        Trial("photo_announcements", "UPDATE", "photos", by: "sender_id") { owner in
            [
                """
                INSERT INTO photos (id, group_id, sender_id, sent_on, expires_at, width, height, thumbhash, photo_key,
                    thumbnail_key)
                VALUES (\(UUID.version7()), \(owner.group), \(owner.id), \(fragment: today) - 9,
                    now() - interval '1 day' - \(owner.earlier), 9, 9, '\\x01', 'a', 'b')
                """
            ]
        } due: {
            "SELECT FROM photos WHERE sender_id = \($0.id) AND NOT removal_logged"
        },
    ]

    private static let house: [Trial] = [
        // The first part of the job and the last one.
        Trial("group_sweep", "DELETE", "contact_checks") { owner in
            [
                "INSERT INTO contact_checks VALUES (\(owner.id), '\\x', now() - interval '1 day' - \(owner.earlier))",
                "INSERT INTO former_members VALUES (\(owner.group), \(owner.id), now() - interval '900 days')",
            ]
        } due: { owner in
            """
            SELECT 1 AS one FROM contact_checks WHERE user_id = \(owner.id)
            UNION ALL SELECT 1 AS one FROM former_members WHERE user_id = \(owner.id)
            """
        },
        Trial("group_sweep", "DELETE", "invites", by: "invited_by") { owner in
            [
                """
                INSERT INTO invites (id, code, group_id, phone_number, invited_by, expires_at)
                VALUES (\(UUID.version7()), \(owner.code), \(owner.group), \(owner.number), \(owner.id),
                    now() - interval '400 days' - \(owner.earlier))
                """
            ]
        },
        Trial("group_sweep", "DELETE", "former_members") { owner in
            ["INSERT INTO former_members VALUES (\(owner.group), \(owner.id), now() - interval '900 days')"]
        },
        Trial("group_sweep", "DELETE", "group_events") { owner in
            [
                """
                INSERT INTO group_events (group_id, number, kind, user_id, at)
                VALUES (\(owner.group), 100, 'member_left', \(owner.id), now() - interval '400 days')
                """,
                // Its partition is not old enough to be emptied as a whole.
                """
                INSERT INTO group_events (group_id, number, kind, at) VALUES (\(owner.group), 101, 'group_renamed', now())
                """,
            ]
        },
        Trial("outbox_sweep", "DELETE", "outbox") { owner in
            [
                """
                INSERT INTO outbox (id, topic, user_id, payload, expires_at, keep_until, done_at)
                VALUES (\(UUID.version7()), 'push', \(owner.id), '{}', now() - interval '2 days',
                    now() - interval '1 day', now() - interval '3 days')
                """,
                // For the next part of the job.
                """
                INSERT INTO outbox (id, topic, user_id, payload, due_at, expires_at, keep_until)
                VALUES (\(UUID.version7()), 'push', \(owner.id), '{}', now() - interval '3 days',
                    now() - interval '2 days', now() - interval '1 day')
                """,
            ]
        },
        Trial("auth_sweep", "DELETE", "verifications", by: "phone_number", name: \.number) { owner in
            [
                """
                INSERT INTO verifications (id, phone_number, code_hmac, expires_at)
                VALUES (\(UUID.version7()), \(owner.number), '\\x00', now() - interval '3 days' - \(owner.earlier))
                """
            ]
        },
        Trial("auth_sweep", "DELETE", "sessions", by: "device_name", name: { "old\($0.place)" }) { owner in
            [
                """
                INSERT INTO sessions (id, user_id, device_name, refresh_nonce, expires_at)
                VALUES (\(UUID.version7()), \(owner.id), \("old\(owner.place)"), '\\x00',
                    now() - interval '90 days' - \(owner.earlier))
                """
            ]
        },
        Trial("auth_sweep", "DELETE", "rate_counters", by: "scope", name: { "scope\($0.place)" }) { owner in
            [
                """
                INSERT INTO rate_counters VALUES (\("scope\(owner.place)"), '\\x00', 1, now() - interval '1 day' - \(owner.earlier))
                """
            ]
        },
        Trial("auth_sweep", "DELETE", "idempotency_keys") { owner in
            [
                """
                INSERT INTO idempotency_keys (user_id, path, key, digest, resource_id, created_at)
                VALUES (\(owner.id), 'a', 'b', '\\x00', \(UUID.version7()), now() - interval '30 days' - \(owner.earlier))
                """
            ]
        },
        Trial("auth_sweep", "DELETE", "code_sends", by: "prefix", name: { "\\x0\($0.place)" }) { owner in
            ["INSERT INTO code_sends (prefix, sent_at) VALUES (\(owner.bytes), now() - interval '60 days')"]
        },
        Trial("auth_sweep", "DELETE", "closed_prefixes", by: "prefix", name: { "\\x0\($0.place)" }) { owner in
            ["INSERT INTO closed_prefixes VALUES (\(owner.bytes), now() - interval '60 days', 1)"]
        },
        Trial("auth_sweep", "DELETE", "verified_addresses", by: "number", name: { "\\x0\($0.place)" }) {
            owner in
            ["INSERT INTO verified_addresses VALUES (\(owner.bytes), '\\x00', now() - interval '300 days')"]
        },
        Trial("dormant_accounts", "DELETE", "users", by: "id") { owner in
            [
                "UPDATE users SET last_active_on = \(fragment: today) - 900 - \(2 - owner.place)::integer WHERE id = \(owner.id)",
                "UPDATE sessions SET last_used_at = now() - interval '900 days' WHERE user_id = \(owner.id)",
            ]
        },
    ]

    private static let focus: [Trial] = [
        Trial("focus_due", "UPDATE", "focus_due") { owner in
            [
                """
                INSERT INTO focus_due (user_id, kind, day, due_at)
                VALUES (\(owner.id), 'results', \(fragment: today) - 7, now() - interval '1 day' - \(owner.earlier))
                """
            ]
        } due: {
            "SELECT FROM focus_due WHERE user_id = \($0.id) AND due_at <= now()"
        },
        Trial("focus_ends", "UPDATE", "focus_sessions") { owner in
            [
                """
                INSERT INTO focus_sessions (id, user_id, goal_minutes, mode, beast_mode, state, started_at)
                VALUES (\(UUID.version7()), \(owner.id), 25, 'block_list', false, 'running',
                    now() - interval '9 days' - \(owner.earlier))
                """
            ]
        } due: {
            "SELECT FROM focus_sessions WHERE user_id = \($0.id) AND state = 'running'"
        },
        Trial("focus_close", "INSERT", "focus_results", by: "group_id", name: { $0.group.uuidString }) {
            open($0)
        } due: { owner in
            "SELECT WHERE NOT EXISTS (SELECT FROM focus_results WHERE group_id = \(owner.group))"
        },
        Trial("focus_close", "INSERT", "focus_feed") {
            open($0)
        } due: { owner in
            "SELECT WHERE NOT EXISTS (SELECT FROM focus_feed WHERE user_id = \(owner.id))"
        },
        Trial("focus_close", "INSERT", "focus_seats") {
            open($0)
        } due: { owner in
            """
            SELECT WHERE NOT EXISTS (
                SELECT FROM focus_seats WHERE user_id = \(owner.id) AND week = \(fragment: week) + 7)
            """
        },
        Trial("focus_close", "UPDATE", "focus_seats") {
            open($0)
        } due: { owner in
            "SELECT FROM focus_seats WHERE user_id = \(owner.id) AND week = \(fragment: week) AND place IS NULL"
        },
    ]

    /// A week that ends with the owner followed, in a league of their own, and with points now and in the next week.
    private static func open(_ owner: Owner) -> [SQL] {
        [
            "SELECT make_focus_partitions(\(fragment: today) - 16, \(fragment: today) + 1)",
            "UPDATE groups SET created_at = now() - interval '60 days' WHERE id = \(owner.group)",
            """
            UPDATE focus_profiles SET leagues = true, nickname = \("name\(owner.place)"),
                joined_at = now() - interval '60 days', joined_on = \(fragment: today) - 60
            WHERE user_id = \(owner.id)
            """,
            """
            INSERT INTO focus_follows (follower_id, followed_id, since)
            SELECT user_id, \(owner.id), now() - interval '50 days' FROM focus_profiles WHERE user_id <> \(owner.id)
            ON CONFLICT DO NOTHING
            """,
            """
            INSERT INTO focus_weeks (user_id, week, points, streak_count, longest_streak, xp)
            SELECT \(owner.id), week, 10, 1, 600, 1 FROM (VALUES (\(fragment: week)), (\(fragment: week) + 7)) AS weeks (week)
            """,
            "INSERT INTO focus_closes (week) VALUES (\(fragment: week)) ON CONFLICT DO NOTHING",
            """
            INSERT INTO focus_leagues (week, tier, number, seats)
            VALUES (\(fragment: week), 0::smallint, \(owner.place)::integer, 1)
            """,
            """
            INSERT INTO focus_seats (week, user_id, tier, number)
            VALUES (\(fragment: week), \(owner.id), 0::smallint, \(owner.place)::integer)
            """,
        ]
    }

    private static let focusPurge: [Trial] = [
        Trial("focus_purge", "UPDATE", "focus_days") { owner in
            [
                "SELECT make_focus_partitions(\(fragment: today) - 101, \(fragment: today) - 99)",
                "INSERT INTO focus_days (user_id, day, streaks) VALUES (\(owner.id), \(fragment: today) - 100, '\\x00')",
            ]
        } due: {
            "SELECT FROM focus_days WHERE user_id = \($0.id) AND streaks IS NOT NULL"
        },
        Trial("focus_purge", "DELETE", "focus_devices") { owner in
            [
                """
                INSERT INTO focus_devices (user_id, number, id, platform, deleted_at)
                VALUES (\(owner.id), 1, \(UUID.version7()), 'ios', now() - interval '100 days')
                """
            ]
        },
        Trial("focus_purge", "DELETE", "focus_results") { owner in
            [
                """
                INSERT INTO focus_results
                VALUES (\(owner.group), \(fragment: today) - 400, \(owner.id), 1, 1, 1, 1, false, 'verified')
                """
            ]
        },
        Trial("focus_purge", "DELETE", "focus_leagues", by: "number", name: { "\($0.place)" }) { owner in
            [
                """
                INSERT INTO focus_leagues (week, tier, number, closed_at)
                VALUES (\(fragment: today) - 400, 0::smallint, \(owner.place)::integer, now() - interval '390 days')
                """
            ]
        },
        Trial("focus_purge", "DELETE", "focus_sessions") { owner in
            [
                """
                INSERT INTO focus_sessions (id, user_id, goal_minutes, mode, beast_mode, state, started_at, ended_at,
                    ended_on, xp)
                VALUES (\(UUID.version7()), \(owner.id), 25, 'block_list', false, 'completed', now() - interval '400 days',
                    now() - interval '399 days', \(fragment: today) - 399, 1)
                """
            ]
        },
        Trial("focus_purge", "DELETE", "focus_feed") { owner in
            [
                """
                INSERT INTO focus_feed (user_id, id, ended_at, seconds)
                VALUES (\(owner.id), \(UUID.version7()), now() - interval '90 days' - \(owner.earlier), 900)
                """
            ]
        },
    ]

    private static let companion: [Trial] = [
        Trial("companion_roll", "INSERT", "companion_days") {
            ended($0.id, .hours(2) + $0.earlier)
        } due: {
            "SELECT FROM companion_settings WHERE user_id = \($0.id) AND ends_at <= now()"
        },
        Trial("companion_summaries", "INSERT", "companion_diary") { owner in
            yesterday(owner) + [
                """
                UPDATE companion_days SET has_events = true, nightly_open = false
                WHERE user_id = \(owner.id) AND ends_at <= now()
                """
            ]
        } due: { owner in
            "SELECT FROM companion_days WHERE user_id = \(owner.id) AND ends_at <= now() AND summary_open"
        },
        Trial("companion_nightly", "UPDATE", "companion_days") { owner in
            [
                """
                UPDATE companion_days SET has_events = true, ends_at = now() + interval '10 minutes' - \(owner.earlier)
                WHERE user_id = \(owner.id)
                """
            ]
        } due: {
            "SELECT FROM companion_days WHERE user_id = \($0.id) AND nightly_open"
        },
        Trial("companion_purge", "DELETE", "companion_days") { owner in
            [
                """
                INSERT INTO companion_days (user_id, day, begins_at, ends_at, limit_minutes)
                VALUES (\(owner.id), \(fragment: today) - 100, now() - interval '100 days',
                    now() - interval '99 days' - \(owner.earlier), 120)
                """
            ]
        } due: { owner in
            "SELECT FROM companion_days WHERE user_id = \(owner.id) AND ends_at < now() - interval '90 days'"
        },
    ]

    /// The running day has ended, without anybody having called.
    static func ended(_ user: UserID, _ age: Duration) -> [SQL] {
        [
            """
            UPDATE companion_settings SET day = day - 1, begins_at = begins_at - interval '1 day',
                ends_at = now() - \(age)
            WHERE user_id = \(user)
            """,
            """
            UPDATE companion_days d SET day = s.day, begins_at = s.begins_at, ends_at = s.ends_at
            FROM companion_settings s WHERE s.user_id = d.user_id AND d.user_id = \(user)
            """,
        ]
    }

    /// There is a day before the running one.
    private static func yesterday(_ owner: Owner) -> [SQL] {
        [
            """
            INSERT INTO companion_days (user_id, day, begins_at, ends_at, limit_minutes)
            SELECT user_id, day - 1, begins_at - interval '1 day', now() - interval '2 hours' - \(owner.earlier), 120
            FROM companion_settings WHERE user_id = \(owner.id)
            """
        ]
    }
}
