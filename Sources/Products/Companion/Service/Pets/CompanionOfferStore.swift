import Postgres

/// SQL about the times in which Companion is offered.
enum CompanionOfferStore {
    /// Says that Companion is offered now. A beat that is late by more than ten minutes notes the gap before it.
    static func beat(_ postgres: PostgresClient) async throws {
        try await postgres.execute(
            """
            WITH last AS (SELECT at FROM companion_beats FOR UPDATE),
            noted AS (
                INSERT INTO companion_gaps (begins_at, ends_at)
                SELECT at, now() FROM last WHERE at < now() - interval '10 minutes'
                ON CONFLICT (begins_at) DO UPDATE SET ends_at = excluded.ends_at
            ),
            -- A clock that was ahead has noted a gap that has not been.
            corrected AS (DELETE FROM companion_gaps WHERE ends_at > now())
            INSERT INTO companion_beats (at) SELECT now() FROM (SELECT count(*) FROM last) AS locked
            ON CONFLICT (the_only) DO UPDATE SET at = excluded.at
            """)
    }

    /// Deletes gaps of days that ended long ago.
    static func deleteOld(_ postgres: PostgresClient) async throws -> Int {
        try await postgres.execute(
            "DELETE FROM companion_gaps WHERE ends_at <= \(fragment: CompanionPurgeStore.limit)")
    }
}
