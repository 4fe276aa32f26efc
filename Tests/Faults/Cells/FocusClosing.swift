import DaylyTesting
import Foundation
import Postgres
import ProgramTesting

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
        let instance = try world.instance()
        for statement in Self.people { try await world.database.client.execute(statement) }
        let expected = try await closed(by: instance)
        guard expected.count > 30 else {
            throw ProxyError(description: "a close of little is none: \(expected)")
        }
        var position: (step: Int, moment: Trap.Moment) = (1, .before)
        while let what = try await kill(instance, at: position.step, position.moment) {
            let found = try await closed(by: instance, isNew: false)
            if found != expected {
                world.broken(
                    "a kill \(position.moment) \(what) changed the close: \(Set(found).symmetricDifference(expected))"
                )
            }
            let goesOn = position.moment == .before && what == "COMMIT"
            position = goesOn ? (position.step, .after) : (position.step + 1, .before)
        }
        world.history.tell("killed before each of \(position.step - 1) steps")
        guard position.step > 20 else { throw ProxyError(description: "a close of few steps is none") }
    }

    /// - Returns: the step; nil if the close ended before.
    private func kill(_ instance: Instance, at step: Int, _ moment: Trap.Moment) async throws -> String? {
        try await reset()
        let trap = Trap(step: step, moment, on: [.database], from: "focus_closes")
        instance.board.set(trap)
        let child = try instance.command(["focus", "run"])
        let task = Task<Void, Never> { _ = try? await child.waitForExit(within: .seconds(60)) }
        let isHeld = try await holds(trap, task)
        instance.board.set(nil)
        try await child.kill9()
        trap.release(.drop)
        await task.value
        // The next job of the command makes partitions.
        guard isHeld, let what = trap.what, !what.contains("make_focus_partitions") else { return nil }
        return what
    }

    /// Closes the week, and tells what came of it.
    private func closed(by instance: Instance, isNew: Bool = true) async throws -> [String] {
        if isNew { try await reset() }
        // The server may not know yet that a killed process is gone, which still holds the week's row.
        try await eventually("the close", within: .seconds(30)) { () -> Bool in
            let run = try await instance.run("focus", "run")
            guard run.status == 0 else { throw ProxyError(description: "the close failed: \(run)") }
            return try await world.database.client.first(
                "SELECT FROM focus_closes WHERE closed_at IS NOT NULL AND week = \(fragment: Self.week)")
                != nil
        }
        return try await world.database.client.query(Self.outcome).map { try $0.get("line") }
    }

    private func reset() async throws {
        for statement in Self.open { try await world.database.client.execute(statement) }
    }

    // MARK: - The week

    /// The last week whose close is due.
    private static let week: SQL =
        "(date_trunc('week', now() AT TIME ZONE 'UTC' - interval '17 hours')::date - 7)"

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
