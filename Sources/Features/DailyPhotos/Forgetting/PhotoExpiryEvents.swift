import FeatureKit
import Groups
import Postgres

/// Tells the groups of photos whose time is over. Reads stop at that instant by themselves; what is written here is the
/// event of it, for those who wait for news.
///
/// Nobody's transaction ends a photo's life when it is time, so somebody has to look. Any number may do so side by side:
/// each photo is told of once. A photo that goes without having been told of is told of by its row's trigger.
package struct PhotoExpiryEvents: Sendable {
    let postgres: PostgresClient
    let groups: GroupStore
    /// Groups whose rows one transaction holds.
    let batchSize: Int

    package init(postgres: PostgresClient, groups: GroupStore, batchSize: Int = 100) {
        self.postgres = postgres
        self.groups = groups
        self.batchSize = batchSize
    }

    /// - Returns: how many photos the groups were told of. Those of groups that somebody is busy with are left to the
    ///   next run.
    @discardableResult
    package func runOnce() async throws -> Int {
        var last: GroupID?
        var total = 0
        repeat {
            let batch = try await runBatch(after: last)
            last = batch.last
            total += batch.told
        } while last != nil && !Task.isCancelled
        return total
    }

    private func runBatch(after previous: GroupID?) async throws -> (last: GroupID?, told: Int) {
        try await postgres.transaction { tx in
            let due: [GroupID] = try tx.query(
                """
                SELECT DISTINCT group_id FROM photos
                WHERE expires_at <= now() AND NOT removal_logged
                    AND (\(previous)::uuid IS NULL OR group_id > \(previous)::uuid)
                ORDER BY group_id
                LIMIT \(batchSize)
                """
            ).map { try $0.get("group_id") }
            guard !due.isEmpty else { return (nil, 0) }
            let held = try groups.lockFree(tx, among: due)
            // The trigger writes the event, and sets what is set here to the same.
            let told = try tx.execute(
                """
                UPDATE photos SET removal_logged = true
                WHERE group_id = ANY(\(held)) AND expires_at <= now() AND NOT removal_logged
                """)
            return (due.last, told)
        }
    }
}
