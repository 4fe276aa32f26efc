import Postgres

/// SQL of the job `companion_purge`.
enum CompanionPurgeStore {
    /// Whatever belongs to a day that ended by then is past its time: 90 days before the last 03:00 UTC.
    static let limit: SQL = """
        date_trunc('day', now() - interval '3 hours', 'UTC') + interval '3 hours' - interval '90 days'
        """

    static func deleteDays(_ postgres: PostgresClient) async throws -> Int {
        try await postgres.executeInBatches { batch in
            """
            DELETE FROM companion_days
            WHERE (user_id, day) IN (
                SELECT user_id, day FROM companion_days
                WHERE ends_at <= \(fragment: limit)
                LIMIT \(batch)
                FOR UPDATE SKIP LOCKED)
            """
        }
    }
}
