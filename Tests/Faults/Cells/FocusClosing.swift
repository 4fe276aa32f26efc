import DaylyTesting
import Postgres

/// kill -9 of `dayly focus run` at each step of closing a week. The next run ends what is left, and boards, leagues, feeds and seats
/// are those of a close that nothing has interrupted.
struct FocusClosing: Sendable {
    let world: World

    static func run() async throws -> Outcome {
        try await World.run(["features": "photos,focus"]) { world in
            try await FocusClosing(world: world).kill()
            return world.actOutcome
        }
    }

    private func kill() async throws {
        let killing = CommandKilling(
            world: world, instance: try world.instance(), arguments: ["focus", "run"], before: Self.open,
            first: "focus_closes",
            // The next job of the command makes partitions.
            next: "make_focus_partitions", left: Self.left, outcome: Self.outcome)
        for statement in Self.people { try await world.database.client.execute(statement) }
        let expected = try await killing.uninterrupted()
        guard expected.count > 30 else {
            throw ProxyError(description: "the close wrote too little: \(expected)")
        }
        try await killing.run(expecting: expected, least: 20)
    }

    // MARK: - The week

    /// The last week whose close is due.
    private static let week: SQL =
        "(date_trunc('week', now() AT TIME ZONE 'UTC' - interval '17 hours')::date - 7)"

    /// Finds the week until it is closed.
    private static let left: SQL = """
        SELECT WHERE NOT EXISTS (
            SELECT FROM focus_closes WHERE closed_at IS NOT NULL AND week = \(fragment: week))
        """

    /// The id of the nth thing.
    private static func id(_ number: SQL) -> SQL {
        "('00000000-0000-7000-8000-' || lpad((\(fragment: number))::text, 12, '0'))::uuid"
    }

    /// Twelve people in three groups, who follow the first of them, with figures in the week and in the next one.
    private static let people: [SQL] = [
        "SELECT make_focus_partitions(current_date - 16, current_date + 21)",
        """
        INSERT INTO users (id, phone_number, first_name, time_zone)
        SELECT \(fragment: id("n")), '+4915110000' || lpad(n::text, 2, '0'), 'Name ' || n, 'UTC' FROM generate_series(1, 12) n
        """,
        """
        INSERT INTO groups (id, name, created_at)
        SELECT \(fragment: id("100 + n")), 'Group ' || n, now() - interval '60 days' FROM generate_series(0, 2) n
        """,
        """
        INSERT INTO group_members (group_id, user_id, joined_at)
        SELECT \(fragment: id("100 + n % 3")), \(fragment: id("n")), now() FROM generate_series(1, 12) n
        """,
        """
        INSERT INTO focus_profiles (user_id, consent, nickname, leagues, joined_at, joined_on)
        SELECT \(fragment: id("n")), '1', 'name' || n, true, now() - interval '60 days', current_date - 60
        FROM generate_series(1, 12) n
        """,
        """
        INSERT INTO focus_follows (follower_id, followed_id, since)
        SELECT \(fragment: id("n")), \(fragment: id("n % 2 + 1")), now() - interval '50 days' FROM generate_series(3, 12) n
        """,
        """
        INSERT INTO focus_weeks (user_id, week, points, streak_count, longest_streak, xp)
        SELECT \(fragment: id("n")), week, 1000 * (n / 2), 5, 600, n
        FROM generate_series(1, 12) n, (VALUES (\(fragment: week)), (\(fragment: week) + 7)) AS weeks (week)
        """,
    ]

    /// The week as it was before its close, with a league of eight and one of four.
    private static let open: [SQL] = [
        "DELETE FROM focus_results", "DELETE FROM focus_feed", "DELETE FROM focus_leagues",
        "DELETE FROM focus_closes",
        "UPDATE focus_profiles SET tier = 0 WHERE tier <> 0",
        """
        INSERT INTO focus_leagues (week, tier, number, seats)
        VALUES (\(fragment: week), 0, 1, 8), (\(fragment: week), 0, 2, 4)
        """,
        """
        INSERT INTO focus_seats (week, user_id, tier, number)
        SELECT \(fragment: week), \(fragment: id("n")), 0, (n - 1) / 8 + 1 FROM generate_series(1, 12) n
        """,
        """
        INSERT INTO focus_closes (week, leagues_done, groups_after, feed_after, closed_at)
        VALUES (\(fragment: week) - 7, true, NULL, NULL, now())
        """,
    ]

    /// Everything that the close has written, but for times and random ids.
    private static let outcome: SQL = """
        SELECT concat_ws(' ', 'result', group_id, week, user_id, rank, points, status) AS line FROM focus_results
        UNION ALL SELECT concat_ws(' ', 'seat', week, user_id, tier, number, place, points, xp, next_tier) FROM focus_seats
        UNION ALL SELECT concat_ws(' ', 'league', week, tier, number, seats, closed_at IS NULL) FROM focus_leagues
        UNION ALL SELECT concat_ws(' ', 'tier', user_id, tier) FROM focus_profiles
        UNION ALL SELECT concat_ws(' ', 'feed', user_id, week, points) FROM focus_feed
        ORDER BY line
        """
}
