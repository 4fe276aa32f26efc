import Auth
import FeatureKit
import Postgres
import RateLimiting

/// Limits how many pictures of one sender may fail in the decoder in an hour. A picture that fails costs a decoder's time
/// and does not become a photo.
struct DecodingQuota: Sendable {
    let rates: RateLimits
    let postgres: PostgresClient
    /// Several times as many as a client with damaged pictures sends. If each takes a decoder one second, the sender uses
    /// 20 s of a decoder in an hour.
    static let failuresPerHour = 20

    /// Checks the quota without counting.
    ///
    /// - Throws: `RateLimited` if the quota is used up.
    func require(_ tx: PostgresTransaction, for sender: UserID) throws {
        if let refusal = try rates.exceeded(tx, [limit(of: sender)]) { throw refusal }
    }

    /// Counts a picture that failed in the decoder.
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
