import Foundation
import Postgres

extension Outbox {
    /// For a database that went back in time: what waits in it may have been done since it was saved, and nothing is
    /// done twice.
    ///
    /// - Parameter time: what was written later is certain.
    /// - Returns: how many rows are not waited for any more.
    @discardableResult
    package func giveUpUncertain(before time: Date) async throws -> Int {
        try await postgres.execute(
            "UPDATE outbox SET done_at = now(), lease = NULL WHERE done_at IS NULL AND created_at <= \(time)")
    }
}
