import Foundation
import Postgres

extension Outbox {
    /// For a database that went back in time: gives up what may have been done since it was saved, because nothing is
    /// done twice. A row that was not due yet, and that no worker held, has not been done.
    ///
    /// - Parameters:
    ///   - after: the id of the last row that is done.
    ///   - limit: rows that are looked at.
    ///   - time: what was due or written later has not been done.
    /// - Returns: the last id of the page and the number of rows given up; nil behind the last page.
    package func giveUpUncertain(
        after: UUID, limit: Int, dueBy time: Date
    ) async throws -> (last: UUID, changed: Int)? {
        let page = try await postgres.first(
            """
            WITH page AS MATERIALIZED (SELECT id FROM outbox WHERE id > \(after) ORDER BY id LIMIT \(limit)),
            given_up AS (
                UPDATE outbox SET done_at = now(), lease = NULL
                WHERE id IN (SELECT id FROM page) AND done_at IS NULL AND created_at <= \(time)
                    AND (due_at <= \(time) OR lease IS NOT NULL)
                RETURNING 1
            )
            SELECT (SELECT id FROM page ORDER BY id DESC LIMIT 1) AS last,
                (SELECT count(*) FROM given_up) AS changed
            """)
        guard let page, let last = try page.get("last", as: UUID?.self) else { return nil }
        return (last, try page.get("changed"))
    }
}
