import FeatureKit
import Postgres

/// SQL that reads `focus_partners` before a message to a partner is sent.
struct FocusPartnerNoticeStore: Sendable {
    let postgres: PostgresClient

    func exists(user: UserID, partner: UserID, isAccepted: Bool) async throws -> Bool {
        try await postgres.first(
            """
            SELECT 1 AS one FROM focus_partners p
            WHERE p.user_id = \(user) AND p.partner_id = \(partner) AND (p.accepted_at IS NOT NULL) = \(isAccepted)
                AND \(fragment: FocusBlockStore.none(between: "p.user_id", and: "p.partner_id"))
            """) != nil
    }
}
