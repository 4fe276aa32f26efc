import ObjectStorage

/// The objects that the bucket must delete by itself if no sweeper runs, and those that it must keep.
///
/// Lifecycle rules count whole days since the object was written and act at midnight UTC or hours later. So the day after
/// a photo's expiry is the first one on which a rule cannot delete a photo that is still alive.
struct LifecycleNeeds: Sendable {
    /// A rule that deletes later does not count as a safety net.
    private static let mostDays = 7

    let rules: [LifecycleRule]
    /// The first day, counted from the writing of an object, on which no photo can be alive.
    let firstDay: Int
    private let keepsVersions: Bool

    init(rules: [LifecycleRule], lifetime: Duration, keepsVersions: Bool) {
        // A photo's lifetime begins when it is accepted, up to 300 s after its objects are written.
        let days = (lifetime.components.seconds + 300 + 86_399) / 86_400
        firstDay = Int(days)
        self.keepsVersions = keepsVersions
        self.rules = rules.map { rule in
            guard rule.prefix == BucketLayout.photos else { return rule }
            return LifecycleRule(
                id: rule.id ?? "", prefix: rule.prefix,
                expiration: max(rule.expirationDays ?? 0, Int(days)), noncurrent: rule.noncurrentDays,
                abort: rule.abortDays)
        }
    }

    /// The number of days after which the rule for photos deletes.
    var days: Int { rules.first { $0.prefix == BucketLayout.photos }?.expirationDays ?? firstDay }

    /// Whether each of our rules is in force, or another rule that does at least as much.
    func isMet(by found: LifecycleRules) -> Bool {
        rules.allSatisfy { rule in
            found.rules.contains { $0.id == rule.id && $0.means(rule) || does($0, rule) }
        }
    }

    private func does(_ found: LifecycleRule, _ rule: LifecycleRule) -> Bool {
        guard found.isEnabled, !found.isPartial, rule.prefix.hasPrefix(found.prefix),
            let days = found.expirationDays, let wanted = rule.expirationDays
        else { return false }
        let first = rule.prefix == BucketLayout.photos ? firstDay : 1
        return (first...max(wanted, Self.mostDays)).contains(days)
            && (!keepsVersions || found.noncurrentDays.map { $0 <= Self.mostDays } ?? false)
    }

    /// The rules of a bucket that delete objects which must stay, each with its effect.
    func conflicts(in found: LifecycleRules) -> [(rule: LifecycleRule, reason: String)] {
        found.rules.filter { $0.isEnabled && !$0.isForTags }.compactMap { rule in
            reason(against: rule).map { (rule, $0) }
        }
    }

    private func reason(against rule: LifecycleRule) -> String? {
        guard rule.expiresByDate || rule.expirationDays != nil else { return nil }
        if reaches(rule, BucketLayout.photos) {
            if rule.expiresByDate { return "deletes photos of any age from a date on" }
            if let days = rule.expirationDays, days < firstDay {
                return
                    "deletes photos after \(days) \(days == 1 ? "day" : "days"), some of them before their expiry"
            }
        }
        let isOurs = rule.prefix.hasPrefix(BucketLayout.doctor)
        return reaches(rule, BucketLayout.service) && !isOurs
            ? "deletes Dayly's own objects under \(BucketLayout.service)" : nil
    }

    private func reaches(_ rule: LifecycleRule, _ prefix: String) -> Bool {
        prefix.hasPrefix(rule.prefix) || rule.prefix.hasPrefix(prefix)
    }
}
