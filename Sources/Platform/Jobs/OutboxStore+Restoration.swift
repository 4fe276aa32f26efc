import Foundation
import Postgres

extension OutboxStore {
    /// Gives up rows that may have been handled after the backup was made that is being restored, because side effects must
    /// not be repeated. A row that was not due yet and that no worker had leased cannot have been handled.
    ///
    /// - Parameters:
    ///   - after: the id of the last row of the previous page.
    ///   - limit: the number of rows in the page.
    ///   - time: rows that became due or were written later cannot have been handled.
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
