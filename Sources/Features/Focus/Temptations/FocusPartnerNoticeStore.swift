import FeatureKit
import Postgres

/// SQL that reads `focus_partners` before a message to a partner is sent.
struct FocusPartnerNoticeStore: Sendable {
    let postgres: PostgresClient

    func exists(user: UserID, partner: UserID, isAccepted: Bool) async throws -> Bool {
        try await postgres.first(
            """
            SELECT 1 AS one FROM focus_partners
            WHERE user_id = \(user) AND partner_id = \(partner) AND (accepted_at IS NOT NULL) = \(isAccepted)
            """) != nil
    }
}
