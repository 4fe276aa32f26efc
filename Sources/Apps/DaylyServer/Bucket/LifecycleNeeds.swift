import ObjectStorage

/// What the bucket must delete by itself should nobody sweep, and what it must not.
///
/// Lifecycle rules count in days from an object's writing and act at midnight UTC, or hours later. So the day after
/// a photo's end is the first on which a rule cannot take a photo that lives.
struct LifecycleNeeds: Sendable {
    static let photos = "photos/"
    /// What the service keeps there for itself lives by other rules: no lifecycle may end it.
    static let service = "dayly/"
    /// What `doctor` puts there and takes away again.
    static let doctor = "dayly/doctor/"
    /// A net that acts later is none.
    private static let mostDays = 7

    let rules: [LifecycleRule]
    /// The first day on which no photo can be alive.
    let firstDay: Int
    private let keepsVersions: Bool

    init(rules: [LifecycleRule], lifetime: Duration, keepsVersions: Bool) {
        // A photo's life begins with its acceptance, which comes after its objects are written.
        let days = (lifetime.components.seconds + 300 + 86_399) / 86_400
        firstDay = Int(days)
        self.keepsVersions = keepsVersions
        self.rules = rules.map { rule in
            guard rule.prefix == Self.photos else { return rule }
            return LifecycleRule(
                id: rule.id ?? "", prefix: rule.prefix,
                expiration: max(rule.expirationDays ?? 0, Int(days)), noncurrent: rule.noncurrentDays,
                abort: rule.abortDays)
        }
    }

    /// After how many days the rule for photos deletes.
    var days: Int { rules.first { $0.prefix == Self.photos }?.expirationDays ?? firstDay }

    /// Whether each of the rules, or one of others' that does at least as much, is in force.
    func isMet(by found: LifecycleRules) -> Bool {
        rules.allSatisfy { rule in
            found.rules.contains { $0.id == rule.id && $0.means(rule) || does($0, rule) }
        }
    }

    private func does(_ found: LifecycleRule, _ rule: LifecycleRule) -> Bool {
        guard found.isEnabled, !found.isPartial, rule.prefix.hasPrefix(found.prefix),
            let days = found.expirationDays, let wanted = rule.expirationDays
        else { return false }
        let first = rule.prefix == Self.photos ? firstDay : 1
        return (first...max(wanted, Self.mostDays)).contains(days)
            && (!keepsVersions || found.noncurrentDays.map { $0 <= Self.mostDays } ?? false)
    }

    /// The rules of a bucket that delete what must live, each with what it does.
    func conflicts(in found: LifecycleRules) -> [(rule: LifecycleRule, reason: String)] {
        found.rules.filter { $0.isEnabled && !$0.isForTags }.compactMap { rule in
            reason(against: rule).map { (rule, $0) }
        }
    }

    private func reason(against rule: LifecycleRule) -> String? {
        guard rule.expiresByDate || rule.expirationDays != nil else { return nil }
        if reaches(rule, Self.photos) {
            if rule.expiresByDate { return "deletes photos from a date on, whatever their age" }
            if let days = rule.expirationDays, days < firstDay {
                return
                    "deletes photos after \(days) \(days == 1 ? "day" : "days"), some of them before their end"
            }
        }
        let isOurs = rule.prefix.hasPrefix(Self.doctor)
        return reaches(rule, Self.service) && !isOurs
            ? "deletes what Dayly keeps for itself under \(Self.service)" : nil
    }

    private func reaches(_ rule: LifecycleRule, _ prefix: String) -> Bool {
        prefix.hasPrefix(rule.prefix) || rule.prefix.hasPrefix(prefix)
    }
}
