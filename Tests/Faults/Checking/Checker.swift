import DaylyTesting
import Foundation
import ProgramTesting

/// Holds what must always be true against what clients were told and what is left. It knows nothing but these, so it
/// can be fed with what never happened.
package struct Checker: Sendable {
    package struct Rules: Sendable {
        package var groupsPerUser = 5
        package var membersPerGroup = 12
        /// The longest a signed URL may live.
        package var urlLifetime: TimeInterval = 3600
        /// That tell one reader of one group on one day.
        package var messagesPerDay = 1
        /// A failed upload must have worked by then.
        package var retryLimit: TimeInterval = 150
        /// Bytes that pictures carry and nothing may keep.
        package var secret = Array(Pictures.secretText.utf8)

        package init() {}
    }

    let rules: Rules
    let entries: [Entry]
    let observations: [Observation]
    let index: HistoryIndex

    package init(rules: Rules = Rules(), entries: [Entry], observations: [Observation] = []) {
        self.rules = rules
        self.entries = entries
        self.observations = observations
        index = HistoryIndex(entries)
    }

    /// Findings from the history alone.
    package var findings: [Finding] {
        let noted = observations.map { observation -> Finding in
            switch observation {
            case .putWithoutRow(let key): Finding(3, "\(key) was put before its row was there")
            case .broken(let invariant, let text): Finding(invariant, text)
            }
        }
        return Array(
            Set(
                noted + internalErrors + readability + oncePerDay + usedDays + retries + keys + strangers
                    + photosOfStrangers + urls + codes + tokens + hostility))
    }

    /// Findings in database, bucket and folders. `isOver`: every photo has expired since, and all has been swept.
    package func findings(in remains: Remains, isOver: Bool) -> [Finding] {
        orphans(remains, isOver: isOver) + duplicates(remains) + secrets(remains) + limits(remains)
            + (isOver ? [] : keptPhotos(remains))
    }

    /// Findings in the logs.
    package static func findings(inLog log: String, messages: [TextMessage]) -> [Finding] {
        LogSearch(log: log, messages: messages).findings.map { Finding(9, $0) }
    }

    // MARK: Accepted photos

    struct Accepted {
        let photo: SeenPhoto
        let entry: Entry
    }

    /// Every answer that told a sender that a photo is taken.
    var accepted: [Accepted] {
        entries.flatMap { entry -> [Accepted] in
            switch entry.call {
            case .upload, .hostileUpload:
                guard entry.answer.isSuccess else { return [] }
                return entry.answer.photos.map { Accepted(photo: $0, entry: entry) }
            default: return []
            }
        }
    }

    /// When somebody may first have begun to end the photo's life early.
    func ending(of photo: SeenPhoto) -> Date {
        let ends = (index.deletions[photo.id] ?? []) + (index.accountDeletions[photo.sender] ?? [])
        // Times in answers have whole seconds, and are rounded down.
        return min(photo.expiresAt.addingTimeInterval(-1), ends.map(\.start).min() ?? .distantFuture)
    }

    /// From when to when memberships are sure: until somebody began to end them.
    func memberships(of user: String, in group: String) -> [(from: Date, until: Date)] {
        let ends = endings(of: user, in: group).map(\.start).sorted()
        return (index.joins[user] ?? []).compactMap { join in
            guard join.group == group, join.entry.answer.isSuccess else { return nil }
            let until = ends.first { $0 >= join.entry.start } ?? .distantFuture
            return until > join.entry.end ? (join.entry.end, until) : nil
        }
    }

    /// Calls that may have ended a membership.
    func endings(of user: String, in group: String) -> [Entry] {
        (index.departures[[user, group]] ?? []) + (index.accountDeletions[user] ?? [])
    }

    /// Whether the user was for sure no member at any time of the call.
    func isStranger(_ user: String, to group: String, from start: Date, to end: Date) -> Bool {
        let joins = (index.joins[user] ?? []).filter { join in
            // A group's maker whose answer was lost does not know its id.
            join.entry.start <= end && (join.group == group || join.group == nil)
        }
        guard let lastJoin = joins.map(\.entry.end).max() else { return true }
        return endings(of: user, in: group).contains { leaving in
            leaving.answer.isSuccess && leaving.start > lastJoin && leaving.end <= start
        }
    }
}

/// The calls that the checker asks for again and again.
struct HistoryIndex: Sendable {
    struct Join: Sendable {
        /// Nil where the answer that would have named it was lost.
        let group: String?
        let entry: Entry
    }

    private(set) var deletions: [String: [Entry]] = [:]
    private(set) var accountDeletions: [String: [Entry]] = [:]
    private(set) var fetches: [String: [Entry]] = [:]
    private(set) var feeds: [String: [Entry]] = [:]
    /// By user; those that may have succeeded.
    private(set) var joins: [String: [Join]] = [:]
    /// By user and group: leaving and removals.
    private(set) var departures: [[String]: [Entry]] = [:]

    init(_ entries: [Entry]) {
        entries.forEach { add($0) }
    }

    private mutating func add(_ entry: Entry) {
        let mayHaveWorked =
            entry.answer == .lost || entry.answer.isSuccess || (entry.answer.status ?? 0) >= 500
        switch entry.call {
        case .deletePhoto(let id): deletions[id, default: []].append(entry)
        case .deleteAccount: accountDeletions[entry.user, default: []].append(entry)
        case .fetch(let photo): fetches[photo, default: []].append(entry)
        case .feed(let group): feeds[group, default: []].append(entry)
        case .createGroup where mayHaveWorked:
            var group: String?
            if case .status(_, .group(let made)) = entry.answer { group = made }
            joins[entry.user, default: []].append(Join(group: group, entry: entry))
        case .redeem(_, let group) where mayHaveWorked:
            joins[entry.user, default: []].append(Join(group: group, entry: entry))
        case .leave(let group): departures[[entry.user, group], default: []].append(entry)
        case .remove(let group, let member): departures[[member, group], default: []].append(entry)
        default: break
        }
    }
}
