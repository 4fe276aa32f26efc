import FeatureKit
import Auth
import Postgres
import RateLimiting

/// How many pictures one sender may send in an hour that cost a decoder's time and make no photo.
struct DecodingQuota: Sendable {
    let rates: RateLimits
    let postgres: PostgresClient
    /// Several times what a client with a broken camera roll sends; at one second of a decoder each, a third of a minute.
    static let failuresPerHour = 20

    /// - Throws: `RateLimited` when the quota is used up. Nothing is counted.
    func require(_ tx: PostgresTransaction, for sender: UserID) throws {
        if let refusal = try rates.exceeded(tx, [limit(of: sender)]) { throw refusal }
    }

    /// Counts a picture that the decoder has refused.
    func countFailure(of sender: UserID) async throws {
        guard rates.enforced else { return }
        try await postgres.transaction { try rates.count($0, [limit(of: sender)]) }
    }

    private func limit(of sender: UserID) -> RateLimit {
        RateLimit(
            scope: "photos.unreadable.user.hour", subject: sender.rawValue.uuidString,
            limit: Self.failuresPerHour, per: .seconds(3_600))
    }
}
