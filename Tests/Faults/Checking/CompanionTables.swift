import DaylyTesting
import Postgres

/// The rules that the tables of Companion keep at any instant.
package enum CompanionTables {
    /// The breaches in a database, each as a sentence. One statement reads them all, so that others may write meanwhile.
    static func breaches(in postgres: PostgresClient) async throws -> [String] {
        try await postgres.query(statement).map { try $0.get("line") }
    }

    /// The breaches in a new database after these statements.
    package static func breaches(after statements: [String]) async throws -> [String] {
        try await withDatabase { postgres in
            for statement in statements { try await postgres.execute(SQL(unchecked: statement)) }
            return try await breaches(in: postgres)
        }
    }

    private static let statement: SQL = """
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
            -- The purge deletes older days in any order.
            SELECT d.*, d.begins_at = s.joined_at AS is_first, lag(d.ends_at) OVER named AS before_ends_at,
                d.reported_minutes::numeric / d.limit_minutes AS ratio, lag(d.day) OVER named AS day_before,
                lag(d.reported_minutes::numeric / d.limit_minutes) OVER named AS ratio_before
            FROM companion_days d JOIN companion_settings s USING (user_id)
            WHERE d.ends_at > now() - interval '90 days'
            WINDOW named AS (PARTITION BY d.user_id ORDER BY d.day)
        ), awards AS (
            -- The award's fractions are exact. Those of numeric end after some digits, which must not move a half.
            SELECT *, floor(round(150 * greatest(
                0, 1 - CASE WHEN is_first THEN ratio ELSE (ratio + coalesce(ratio_before, 1)) / 2 END), 9) + 0.5) AS due
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
