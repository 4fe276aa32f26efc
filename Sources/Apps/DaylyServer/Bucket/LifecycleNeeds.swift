import ObjectStorage

/// The objects that the bucket must delete by itself if no sweeper runs, and those that it must keep.
///
/// Lifecycle rules count whole days since the object was written and act at midnight UTC or hours later. So the day after
/// a photo's expiry is the first one on which a rule cannot delete a photo that is still alive.
struct LifecycleNeeds: Sendable {
    /// A rule that deletes later does not count as a safety net.
    private static let mostDays = 7

    /// Our rules: those of the file, with the configured lifetime, and without versions where none are kept.
    let file: BucketFiles.Lifecycle
    /// The first day, counted from the writing of an object, on which no photo can be alive.
    let firstDay: Int
    private let keepsVersions: Bool

    init(_ file: BucketFiles.Lifecycle, lifetime: Duration, keepsVersions: Bool) {
        // A photo's lifetime begins when it is accepted, up to 300 s after its objects are written.
        let days = Int((lifetime.components.seconds + 300 + 86_399) / 86_400)
        firstDay = days
        self.keepsVersions = keepsVersions
        var file = file
        for index in file.rules.indices {
            // A server without versions may refuse a rule that mentions them.
            if !keepsVersions { file.rules[index].noncurrent = nil }
            guard file.rules[index].filter.prefix == BucketLayout.photos else { continue }
            file.rules[index].expiration.days = max(file.rules[index].expiration.days, days)
        }
        self.file = file
    }

    /// The number of days after which the rule for photos deletes.
    var days: Int {
        file.rules.first { $0.filter.prefix == BucketLayout.photos }?.expiration.days ?? firstDay
    }

    /// Whether for each of our rules one is in force that does at least as much.
    func isMet(by found: LifecycleRules) -> Bool {
        file.rules.allSatisfy { rule in found.rules.contains { does($0, rule) } }
    }

    private func does(_ found: LifecycleRule, _ rule: BucketFiles.Lifecycle.Rule) -> Bool {
        guard found.isEnabled, !found.isPartial, rule.filter.prefix.hasPrefix(found.prefix),
            let days = found.expirationDays
        else { return false }
        let first = rule.filter.prefix == BucketLayout.photos ? firstDay : 1
        return (first...max(rule.expiration.days, Self.mostDays)).contains(days)
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
