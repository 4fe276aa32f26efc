import DaylyTesting
import Foundation
import Postgres

/// How the harness lets the days of Companion pass, and the rules that its tables must always keep.
extension World {
    /// Days pass for a user of Companion, as if everything had happened earlier. The day that ran has ended afterwards, and
    /// its end is due.
    ///
    /// - Returns: the name of the day that ran.
    @discardableResult
    func passCompanionDays(_ days: Int = 1, of user: String) async throws -> String {
        try await database.client.transaction { tx in
            // As every change of an account, so that no call sees half of it.
            let row = try tx.one(
                """
                SELECT (day - \(days)::integer)::text AS day FROM companion_settings
                WHERE user_id = \(user)::uuid FOR UPDATE
                """)
            // Rows refer to days whose names change.
            try tx.execute("SET LOCAL session_replication_role = replica")
            // By a detour: a day must not meet the one before it.
            for step in [-30_000 - days, 30_000] {
                for statement in Self.movesOfNames(of: user, by: step) { try tx.execute(statement) }
            }
            for statement in Self.movesOfTimes(of: user, by: days) { try tx.execute(statement) }
            return try row.get("day")
        }
    }

    /// Where a name of a day is in a key.
    private static func movesOfNames(of user: String, by days: Int) -> [SQL] {
        let tables: [SQL] = ["companion_days", "companion_bypasses", "companion_diary"]
        return tables.map { table in
            """
            UPDATE \(fragment: table) SET day = day + \(days)::integer WHERE user_id = \(user)::uuid
            """
        } + [
            """
            UPDATE companion_ledger SET ref = (ref::date + \(days)::integer)::text
            WHERE user_id = \(user)::uuid AND kind = 'award'
            """
        ]
    }

    private static func movesOfTimes(of user: String, by days: Int) -> [SQL] {
        let length: Duration = .seconds(86_400 * days)
        return [
            """
            UPDATE companion_settings
            SET day = day - \(days)::integer, begins_at = begins_at - \(length), ends_at = ends_at - \(length),
                joined_at = joined_at - \(length)
            WHERE user_id = \(user)::uuid
            """,
            """
            UPDATE companion_days SET begins_at = begins_at - \(length), ends_at = ends_at - \(length)
            WHERE user_id = \(user)::uuid
            """,
            """
            UPDATE companion_pets
            SET born_on = born_on - \(days)::integer, reset_on = reset_on - \(days)::integer,
                changed_on = changed_on - \(days)::integer, died_on = died_on - \(days)::integer,
                died_at = died_at - \(length), fragile_until = fragile_until - \(length)
            WHERE user_id = \(user)::uuid
            """,
            "UPDATE companion_recoveries SET at = at - \(length) WHERE user_id = \(user)::uuid",
            "UPDATE companion_devices SET last_event_at = last_event_at - \(length) WHERE user_id = \(user)::uuid",
        ]
    }

    /// Notes each breach of a rule of Companion in the tables. It reads one snapshot, so that others may go on meanwhile.
    func checkCompanion() async throws {
        for row in try await database.client.query(Self.companionBreaches) {
            broken(try row.get("line"))
        }
    }

    /// Waits until no day of Companion ends by itself soon: a cell counts the days that it lets pass.
    ///
    /// - Parameter seconds: the time that the cell takes at most.
    func awaitRoomBeforeMidnight(_ seconds: Double = 240) async throws {
        let left = 86_400 - Date().timeIntervalSince1970.truncatingRemainder(dividingBy: 86_400)
        if left < seconds { try await Task.sleep(for: .seconds(left + 1)) }
    }

    private static let companionBreaches: SQL = """
        WITH entries AS (
            SELECT *, row_number() OVER owned AS number, lag(at) OVER owned AS before,
                sum(amount) OVER (PARTITION BY user_id, currency ORDER BY id) AS sum
            FROM companion_ledger WINDOW owned AS (PARTITION BY user_id ORDER BY id)
        ), sums AS (
            SELECT user_id, count(*) AS entries, max(at) AS entry_at,
                coalesce(sum(amount) FILTER (WHERE currency = 'energy'), 0) AS energy,
                coalesce(sum(amount) FILTER (WHERE currency = 'gems'), 0) AS gems
            FROM companion_ledger GROUP BY user_id
        ), bought AS (
            SELECT user_id, ref, count(*) FILTER (WHERE kind = 'cosmetic') - count(*) FILTER (WHERE kind = 'rollback') AS owned
            FROM companion_ledger WHERE kind IN ('cosmetic', 'rollback') GROUP BY user_id, ref
        ), recoveries AS (
            SELECT user_id, kind, pet_id, count(*) AS times FROM companion_recoveries GROUP BY user_id, kind, pet_id
        ), paid AS (
            SELECT user_id, kind, ref, count(*) AS times FROM companion_ledger
            WHERE kind IN ('cure', 'revive', 'restart') GROUP BY user_id, kind, ref
        ), days AS (
            SELECT d.*, d.begins_at = s.joined_at AS is_first, lag(d.ends_at) OVER named AS before_ends_at,
                d.reported_minutes::numeric / d.limit_minutes AS ratio, lag(d.day) OVER named AS day_before,
                lag(d.reported_minutes::numeric / d.limit_minutes) OVER named AS ratio_before
            FROM companion_days d JOIN companion_settings s USING (user_id)
            WINDOW named AS (PARTITION BY d.user_id ORDER BY d.day)
        ), awards AS (
            SELECT *, floor(150 * greatest(0, 1 - CASE WHEN is_first THEN ratio ELSE (ratio + coalesce(ratio_before, 1)) / 2 END)
                + 0.5) AS due
            FROM days WHERE closed_at IS NOT NULL AND ratio IS NOT NULL AND (is_first OR day_before IS NOT NULL)
        ), breaches (user_id, breach) AS (
            SELECT coalesce(w.user_id, s.user_id), format('a wallet of %s and %s is %s and %s by its ledger', w.energy, w.gems, s.energy, s.gems)
            FROM companion_wallets w FULL JOIN sums s USING (user_id)
            WHERE (w.energy, w.gems, w.entries, w.entry_at) IS DISTINCT FROM (s.energy, s.gems, s.entries, s.entry_at)
            UNION ALL
            SELECT user_id, format('entry %s of a ledger has the balance %s, but the sum is %s', number, balance, sum)
            FROM entries WHERE balance <> sum
            UNION ALL
            SELECT user_id, format('entry %s of a ledger has the id %s', number, id)
            FROM entries WHERE left(id::text, 23) <> left(companion_ledger_id(at, number)::text, 23) OR at < before
            UNION ALL
            SELECT user_id, format('%s left %s %s', kind, balance, currency)
            FROM entries WHERE balance < 0 AND (currency = 'energy' OR (amount < 0 AND kind <> 'refund'))
            UNION ALL
            SELECT min(user_id::text)::uuid, format('%s of %s counts %s times', kind, ref, count(*))
            FROM companion_ledger WHERE kind IN ('purchase', 'refund') GROUP BY kind, ref HAVING count(*) > 1
            UNION ALL
            SELECT user_id, format('the award of %s counts %s times', ref, count(*))
            FROM companion_ledger WHERE kind = 'award' GROUP BY user_id, ref HAVING count(*) > 1
            UNION ALL
            SELECT coalesce(p.user_id, l.user_id), format('a purchase of %s is %s in the ledger', p.gems, l.amount)
            FROM companion_purchases p
            FULL JOIN (SELECT * FROM companion_ledger WHERE kind = 'purchase') l
                ON l.user_id = p.user_id AND l.ref = p.transaction_id
            WHERE p.gems IS DISTINCT FROM l.amount
            UNION ALL
            SELECT coalesce(p.user_id, l.user_id), format('a refund of %s is %s in the ledger', p.gems, l.amount)
            FROM (SELECT * FROM companion_purchases WHERE refunded_at IS NOT NULL) p
            FULL JOIN (SELECT * FROM companion_ledger WHERE kind = 'refund') l
                ON l.user_id = p.user_id AND l.ref = p.transaction_id
            WHERE -p.gems IS DISTINCT FROM l.amount
            UNION ALL
            SELECT coalesce(b.user_id, c.user_id), format('the cosmetic %s was bought %s times', coalesce(b.ref, c.id), b.owned)
            FROM bought b FULL JOIN companion_cosmetics c ON c.user_id = b.user_id AND c.id = b.ref
            WHERE b.owned IS DISTINCT FROM CASE WHEN c.id IS NULL THEN 0 ELSE 1 END
            UNION ALL
            SELECT coalesce(r.user_id, l.user_id), format('%s recoveries by %s were paid %s times', r.times, coalesce(r.kind, l.kind), l.times)
            FROM recoveries r FULL JOIN paid l ON l.user_id = r.user_id AND l.kind = r.kind AND l.ref = r.pet_id::text
            WHERE r.times IS DISTINCT FROM l.times AND (l.times IS NOT NULL OR r.kind <> 'restart')
            UNION ALL
            SELECT user_id, format('a pet was started anew %s times', times) FROM recoveries
            WHERE kind = 'restart' AND times > 1
            UNION ALL
            SELECT user_id, format('a pet wears %s, which its owner does not own', worn)
            FROM companion_pets p CROSS JOIN unnest(outfit) AS worn
            WHERE NOT EXISTS (SELECT FROM companion_cosmetics c WHERE c.user_id = p.user_id AND c.id = worn)
            UNION ALL
            SELECT r.user_id, format('%s cures and revivals within days', count(*))
            FROM companion_recoveries r JOIN companion_recoveries o USING (user_id, kind)
            WHERE o.at <= r.at AND o.at > r.at - CASE kind WHEN 'cure' THEN interval '30 days' ELSE interval '90 days' END
            GROUP BY r.user_id, r.id, kind
            HAVING count(*) > CASE kind WHEN 'cure' THEN 5 WHEN 'revive' THEN 2 ELSE 1000 END
            UNION ALL
            SELECT user_id, format('the award of %s is %s instead of %s', day, energy, due) FROM awards
            WHERE energy IS DISTINCT FROM due
            UNION ALL
            SELECT d.user_id, format('the day %s awarded %s, but the ledger has %s', d.day, d.energy, l.amount)
            FROM companion_days d
            LEFT JOIN companion_ledger l ON l.user_id = d.user_id AND l.kind = 'award' AND l.ref = d.day::text
            WHERE coalesce(d.energy, 0) <> coalesce(l.amount, 0)
            UNION ALL
            SELECT user_id, format('the day %s begins at %s, but the one before ended at %s', day, begins_at, before_ends_at)
            FROM days WHERE before_ends_at <> begins_at OR (NOT is_first AND ends_at - begins_at < interval '18 hours')
            UNION ALL
            SELECT s.user_id, format('the running day %s has no row, or the one of %s', s.day, d.day)
            FROM companion_settings s LEFT JOIN companion_days d ON d.user_id = s.user_id AND d.day = s.day
            WHERE (d.begins_at, d.ends_at) IS DISTINCT FROM (s.begins_at, s.ends_at)
            UNION ALL
            SELECT user_id, format('%s bypasses of %s have %s rows', d.bypasses, d.day, count(b.number))
            FROM companion_days d LEFT JOIN companion_bypasses b USING (user_id, day)
            GROUP BY d.user_id, d.day HAVING d.bypasses <> count(b.number)
            UNION ALL
            SELECT p.user_id, format('a pet has seen the end of %s, but the day %s runs', p.reset_on, s.day)
            FROM companion_pets p JOIN companion_settings s USING (user_id)
            WHERE p.reset_on >= s.day
                OR (p.health <> 'dead' AND p.fragile_until IS NULL AND p.reset_on < s.day - 1)
        )
        SELECT breach || ', of ' || coalesce(user_id::text, 'nobody') AS line FROM breaches ORDER BY line
        """
}
