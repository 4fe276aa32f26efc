import CompanionRules
import DaylyTesting
import FeatureKit
import Foundation
import HTTPKit
import Postgres
import Testing

@testable import Companion

/// Behind the rules of the code stand those of the tables: a fault of the code that breaks one makes an error, and nothing
/// wrong is kept.
@Suite("The tables of Companion")
struct CompanionConstraintTests {
    /// A constraint and a statement that breaks it alone.
    struct Breach: Sendable, CustomTestStringConvertible {
        let constraint: String
        let statement: SQL

        init(_ constraint: String, _ statement: SQL) {
            self.constraint = constraint
            self.statement = statement
        }

        var testDescription: String { constraint }
    }

    private static let breaches = [
        Breach("companion_settings_today", "UPDATE companion_settings SET limit_minutes_today = 121"),
        Breach("companion_days_pkey", "INSERT INTO companion_days SELECT * FROM companion_days"),
        Breach("companion_days_bypasses", "UPDATE companion_days SET bypasses = 21"),
        Breach("companion_days_closed", "UPDATE companion_days SET energy = 1"),
        Breach(
            "companion_bypasses_number",
            """
            INSERT INTO companion_bypasses (user_id, day, number, device_id, at)
            SELECT user_id, day, 21, gen_random_uuid(), now() FROM companion_days
            """),
        Breach(
            "companion_diary_once",
            """
            INSERT INTO companion_diary (user_id, ordinal, id, day, at, kind, band, pool, hp, number, text_en, text_de)
            SELECT user_id, 2, gen_random_uuid(), day, at, 'terminal', 0, 'terminal', 0, 0, '', '' FROM companion_diary
            """),
        Breach("companion_pets_pkey", "INSERT INTO companion_pets SELECT * FROM companion_pets"),
        Breach("companion_pets_death", "UPDATE companion_pets SET health = 'dead'"),
        Breach("companion_wallets_energy", "UPDATE companion_wallets SET energy = -1"),
        Breach(
            "companion_ledger_once",
            """
            INSERT INTO companion_ledger (user_id, id, at, currency, amount, balance, kind, ref)
            SELECT user_id, gen_random_uuid(), at, currency, amount, balance, kind, ref FROM companion_ledger
            """),
        Breach(
            "companion_cosmetics_pkey", "INSERT INTO companion_cosmetics SELECT * FROM companion_cosmetics"),
        Breach(
            "companion_purchases_pkey", "INSERT INTO companion_purchases SELECT * FROM companion_purchases"),
        Breach("companion_claims_pkey", "INSERT INTO companion_claims SELECT * FROM companion_claims"),
        Breach(
            "companion_catalogs_proposal_key",
            """
            INSERT INTO companion_catalogs (id, content, proposed_by)
            SELECT gen_random_uuid(), content, proposed_by FROM companion_catalogs
            """),
    ]

    /// Guard: the tables refuse a second summary, award, purchase or pet, a 21st bypass, and energy below 0
    /// (`companion_diary_once`, `companion_ledger_once`, `companion_purchases`, `companion_pets`,
    /// `companion_bypasses_number`, `companion_wallets_energy`)
    @Test("each refuses what breaks its rule", arguments: breaches)
    func refusal(_ breach: Breach) async throws {
        try await CompanionWorld.run { world in
            try await fill(world)
            let error = await #expect(throws: PostgresError.self) {
                try await world.postgres.execute(breach.statement)
            }
            #expect(error?.constraint == breach.constraint, "\(String(describing: error))")
        }
    }

    /// Makes one row of each table.
    private func fill(_ world: CompanionWorld) async throws {
        let ada = try await world.owner()
        _ = try await world.adopt(ada)
        try await world.give(100, .gems, to: ada)
        try await world.own("red_scarf", by: ada)
        for statement: SQL in [
            """
            INSERT INTO companion_diary (user_id, ordinal, id, day, at, kind, pool, hp, number, text_en, text_de)
            SELECT user_id, 1, gen_random_uuid(), day, now(), 'nightly', 'plain', 100, 0, '', '' FROM companion_days
            """,
            """
            INSERT INTO companion_purchases (transaction_id, user_id, product_id, quantity, gems)
            VALUES ('t1', \(ada.id), 'gems_100', 1, 100)
            """,
            "INSERT INTO companion_claims (digest, is_refused) VALUES ('t1', false)",
            """
            INSERT INTO companion_catalogs (id, content, proposed_by) VALUES (gen_random_uuid(), '{}', 'Ada')
            """,
        ] {
            try await world.postgres.execute(statement)
        }
    }
}
