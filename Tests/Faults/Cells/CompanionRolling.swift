import Postgres

/// kill -9 of `dayly companion run` at each step of ending days. The next run ends what is left, and days, pets, counts and
/// messages are those of a run that nothing has interrupted.
struct CompanionRolling: Sendable {
    let world: World

    static func run() async throws -> Outcome {
        try await World.run(CompanionStage.settings) { world in
            try await world.awaitRoomBeforeMidnight()
            try await CompanionRolling(world: world).kill()
            return world.actOutcome
        }
    }

    private func kill() async throws {
        let killing = CommandKilling(
            world: world, instance: try world.instance(), arguments: ["companion", "run"],
            before: Self.before,
            first: "companion_settings WHERE has_pet",
            // The next job of the command tells of evenings.
            next: "nightly_open", left: "SELECT FROM companion_settings WHERE ends_at <= now()",
            outcome: Self.outcome)
        try await world.database.client.execute(Self.people)
        let expected = try await killing.uninterrupted()
        let pets: [String] = try await world.database.client.query(Self.pets).map { row in
            try row.get("line")
        }
        if pets != Self.expectedPets { world.broken("the resets made \(pets)") }
        try await killing.run(expecting: expected, least: 12)
    }

    // MARK: - The days

    private static func id(_ number: SQL) -> SQL {
        "('00000000-0000-7000-8000-' || lpad((\(fragment: number))::text, 12, '0'))::uuid"
    }

    /// Twelve people. The days of the n-th one have ended n % 3 + 1 days ago.
    private static let people: SQL = """
        INSERT INTO users (id, phone_number, first_name, time_zone)
        SELECT \(fragment: id("n")), '+4915110000' || lpad(n::text, 2, '0'), 'Name ' || n, 'UTC'
        FROM generate_series(1, 12) n
        """

    /// The accounts as they were before their days ended. The pets have been unfed for 0, 2, 4 or 6
    /// days, and the last four have been fed on the day that ends first.
    private static let before: [SQL] = [
        "TRUNCATE companion_settings CASCADE",
        "DELETE FROM outbox", "DELETE FROM analytics_totals", "DELETE FROM analytics_additions",
        """
        INSERT INTO companion_settings (
            user_id, consent, joined_at, limit_minutes, limit_minutes_today, cooldown_minutes, nightly, day, begins_at,
            ends_at, has_pet
        )
        SELECT \(fragment: id("n")), '1', today - 40, 120, 120, 30, true, today - n % 3 - 1, today - n % 3 - 1,
            today - n % 3, true
        FROM generate_series(1, 12) n, LATERAL (SELECT current_date AS today) AS now
        """,
        """
        INSERT INTO companion_days (user_id, day, begins_at, ends_at, limit_minutes)
        SELECT user_id, day, begins_at, ends_at, limit_minutes_today FROM companion_settings
        """,
        """
        INSERT INTO companion_pets (
            user_id, id, species, name, health, unfed_days, last_fed, growth, fullness, mood, food_energy, food_buff,
            born_on, reset_on, outfit
        )
        SELECT user_id, user_id, 'cat', 'Momo', CASE WHEN unfed < 3 THEN 'healthy' ELSE 'sick' END, unfed, 0, 100, 90, 9,
            CASE WHEN n > 8 THEN 120 ELSE 0 END, CASE WHEN n > 8 THEN 150 ELSE 0 END, day - 30, day - 1, '{}'
        FROM companion_settings,
            LATERAL (SELECT right(user_id::text, 12)::integer AS n) AS person,
            LATERAL (SELECT (n - 1) % 4 * 2 AS unfed) AS pet
        """,
    ]

    /// Everything that the ends of days have written, but for times and random ids.
    private static let outcome: SQL = """
        SELECT concat_ws(' ', 'account', user_id, day, begins_at, ends_at) AS line FROM companion_settings
        UNION ALL SELECT concat_ws(' ', 'day', user_id, day, begins_at, ends_at, limit_minutes, has_summary) FROM companion_days
        UNION ALL SELECT concat_ws(' ', 'pet', to_jsonb(companion_pets)) FROM companion_pets
        UNION ALL SELECT concat_ws(' ', 'message', topic, key, user_id, due_at) FROM outbox
        UNION ALL SELECT concat_ws(' ', 'count', name, sum(count)) FROM (
            SELECT name, count FROM analytics_totals UNION ALL SELECT name, count FROM analytics_additions
        ) AS counts GROUP BY name
        ORDER BY line
        """

    private static let pets: SQL = """
        SELECT concat_ws(
            ' ', health, unfed_days, growth, fullness, mood, (SELECT day FROM companion_settings s WHERE s.user_id = p.user_id)
                - reset_on) AS line
        FROM companion_pets p ORDER BY user_id
        """

    /// By the contract: health, unfed days, growth, fullness, mood and the days since the last reset. A dead pet is not reset.
    private static let expectedPets = [
        // Unfed for 0, 2, 4 and 6 days before, then for 2, 3, 1 and 2 days.
        "healthy 2 100 30 7 1", "sick 5 100 0 6 1", "sick 5 100 60 8 1", "dead 7 100 60 8 2",
        // The same, then unfed for 3, 1, 2 and 3 days.
        "sick 3 100 0 6 1", "sick 3 100 60 8 1", "sick 6 100 30 7 1", "dead 7 100 60 8 3",
        // The same, then fed for a day, and unfed for 0, 1, 2 and 0 days.
        "healthy 0 215 60 8 1", "healthy 1 215 30 7 1", "sick 2 210 0 6 1", "sick 0 210 60 8 1",
    ]
}
