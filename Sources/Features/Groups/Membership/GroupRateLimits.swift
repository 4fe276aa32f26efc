import Auth
import FeatureKit
import RateLimiting

extension GroupSettings {
    /// Counts members who were taken out of a group, by removal or by a block.
    func removalLimit(of user: UserID) -> RateLimit {
        RateLimit(
            scope: "group.removal.day", subject: user.rawValue.uuidString, limit: removalsPerDay,
            per: .seconds(86_400))
    }

    /// Counts groups that the user created, including deleted ones: each deletion leaves a record in the journal of
    /// erasures.
    func creationLimit(of user: UserID) -> RateLimit {
        RateLimit(
            scope: "group.creation.day", subject: user.rawValue.uuidString, limit: creationsPerDay,
            per: .seconds(86_400))
    }

    /// Counts numbers that the user asked about.
    func contactLimit(of user: UserID) -> RateLimit {
        RateLimit(
            scope: "contacts.user.day", subject: user.rawValue.uuidString, limit: checksPerUserAndDay,
            per: .seconds(86_400))
    }
}
