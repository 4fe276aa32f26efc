import Faults
import Testing

/// Feeds the check of Companion's tables with a breach of each rule.
@Suite("The tables of Companion")
struct CompanionTablesTests {
    /// A change of good tables, and the beginning of the breach that the check must name.
    struct Change: Sendable, CustomTestStringConvertible {
        /// Takes a guard of the schema out that would refuse the change.
        var before = "SELECT 1"
        let statement: String
        let breach: String

        var testDescription: String { breach }
    }

    @Test("good tables have no breach")
    func good() async throws {
        #expect(try await CompanionTables.breaches(after: Self.good) == [])
    }

    @Test("each breach is named", arguments: changes)
    func breach(_ change: Change) async throws {
        let breaches = try await CompanionTables.breaches(
            after: Self.good + [change.before, change.statement])
        #expect(breaches.contains { $0.hasPrefix(change.breach) }, "\(breaches)")
    }

    private static let changes = [
        Change(
            statement: "UPDATE companion_wallets SET energy = 160",
            breach: "a wallet of 160 and 60 is 150 and 60 by its ledger"),
        Change(
            statement: "UPDATE companion_ledger SET balance = 76 WHERE balance = 75",
            breach: "entry 1 of a ledger has the balance 76, but the sum is 75"),
        Change(
            statement: "UPDATE companion_ledger SET id = companion_ledger_id(at, 1) WHERE balance = 150",
            breach: "entry 2 of a ledger has the id"),
        Change(
            statement: "UPDATE companion_ledger SET balance = -20 WHERE kind = 'cosmetic'",
            breach: "cosmetic left -20 gems"),
        Change(
            statement: "UPDATE companion_ledger SET ref = ref || 'x' WHERE kind = 'purchase'",
            breach: "a purchase of 100 is  in the ledger"),
        Change(
            statement: "UPDATE companion_purchases SET refunded_at = now()",
            breach: "a refund of 100 is  in the ledger"),
        Change(
            statement: "DELETE FROM companion_cosmetics",
            breach: "the cosmetic blue_bandana was bought 1 times"),
        Change(
            statement: """
                INSERT INTO companion_recoveries
                SELECT user_id, gen_random_uuid(), 'cure', user_id, now() FROM companion_settings
                """,
            breach: "1 recoveries by cure were paid  times"),
        Change(
            statement: """
                INSERT INTO companion_recoveries
                SELECT user_id, gen_random_uuid(), 'restart', user_id, now() FROM companion_settings, generate_series(1, 2)
                """,
            breach: "a pet was started anew 2 times"),
        Change(
            statement: """
                INSERT INTO companion_recoveries
                SELECT user_id, gen_random_uuid(), 'revive', user_id, now() FROM companion_settings, generate_series(1, 3)
                """,
            breach: "3 cures and revivals within days"),
        Change(
            statement: "UPDATE companion_pets SET outfit = '{straw_hat}'",
            breach: "a pet wears straw_hat, which its owner does not own"),
        Change(
            statement: "UPDATE companion_days SET energy = 76 WHERE energy = 75 AND day = current_date - 1",
            breach: "the award of"),
        Change(
            statement: "UPDATE companion_ledger SET ref = '2000-01-01' WHERE kind = 'award' AND balance = 75",
            breach: "the day"),
        Change(
            before: "DROP INDEX companion_ledger_once",
            statement: "UPDATE companion_ledger SET ref = (current_date - 1)::text WHERE kind = 'award'",
            breach: "the award of"),
        Change(
            statement:
                "UPDATE companion_days SET ends_at = ends_at - interval '1 hour' WHERE day = current_date - 1",
            breach: "the day"),
        Change(
            statement: "UPDATE companion_settings SET ends_at = ends_at + interval '1 hour'",
            breach: "the running day"),
        Change(statement: "DELETE FROM companion_bypasses", breach: "1 bypasses of"),
        Change(
            statement: "UPDATE companion_pets SET reset_on = reset_on - 1",
            breach: "a pet has seen the end of"),
        Change(
            statement: "UPDATE companion_pets SET reset_on = reset_on + 1",
            breach: "a pet has seen the end of"),
    ]

    /// An account on its third day, with two awards of 75, 100 gems and a thing for 40 of them.
    private static let good = [
        """
        INSERT INTO users (id, phone_number, first_name, time_zone)
        VALUES ('00000000-0000-7000-8000-000000000001', '+4915110000001', 'Ada', 'UTC')
        """,
        """
        INSERT INTO companion_settings (
            user_id, consent, joined_at, limit_minutes, limit_minutes_today, cooldown_minutes, nightly, day, begins_at,
            ends_at, has_pet
        )
        SELECT id, '1', current_date - 2 + interval '9 hours', 120, 120, 30, true, current_date, current_date,
            current_date + 1, true
        FROM users
        """,
        """
        INSERT INTO companion_days (
            user_id, day, begins_at, ends_at, limit_minutes, bypasses, reported_minutes, closed_at, energy
        )
        SELECT user_id, current_date - n, greatest(current_date - n, joined_at), current_date - n + 1, 120, 1,
            CASE WHEN n > 0 THEN 60 END, CASE WHEN n > 0 THEN now() END, CASE WHEN n > 0 THEN 75 END
        FROM companion_settings, generate_series(0, 2) n
        """,
        """
        INSERT INTO companion_bypasses (user_id, day, number, device_id, at)
        SELECT user_id, day, 1, user_id, now() FROM companion_days
        """,
        """
        INSERT INTO companion_ledger (user_id, id, at, currency, amount, balance, kind, ref)
        SELECT user_id, companion_ledger_id(second, number), second, currency, amount, balance, kind, ref
        FROM companion_settings, LATERAL (SELECT date_trunc('second', now()) AS second) AS time, (
            VALUES (1, 'energy', 75, 75, 'award', (current_date - 2)::text),
                (2, 'energy', 75, 150, 'award', (current_date - 1)::text),
                (3, 'gems', 100, 100, 'purchase', '1'), (4, 'gems', -40, 60, 'cosmetic', 'blue_bandana')
        ) AS entry (number, currency, amount, balance, kind, ref)
        """,
        """
        INSERT INTO companion_wallets (user_id, energy, gems, entries, entry_at)
        SELECT user_id, 150, 60, 4, max(at) FROM companion_ledger GROUP BY user_id
        """,
        """
        INSERT INTO companion_purchases (transaction_id, user_id, product_id, quantity, gems)
        SELECT '1', user_id, 'gems_100', 1, 100 FROM companion_settings
        """,
        """
        INSERT INTO companion_cosmetics (user_id, id, currency, price)
        SELECT user_id, 'blue_bandana', 'gems', 40 FROM companion_settings
        """,
        """
        INSERT INTO companion_pets (
            user_id, id, species, name, health, unfed_days, last_fed, growth, fullness, mood, food_energy, food_buff,
            born_on, reset_on, outfit
        )
        SELECT user_id, user_id, 'cat', 'Momo', 'healthy', 0, 0, 0, 50, 5, 0, 0, day - 2, day - 1, '{blue_bandana}'
        FROM companion_settings
        """,
    ]
}
