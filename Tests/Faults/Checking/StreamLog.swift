import DaylyTesting
import Foundation

/// The events of one client's stream over all its connections, in their order.
package struct StreamLog: Sendable {
    /// An event about a photo, and when it came.
    package struct Sight: Sendable {
        package let group: String
        package let photo: String
        package let at: Date

        package init(group: String, photo: String, at: Date) {
            self.group = group
            self.photo = photo
            self.at = at
        }
    }

    /// All events: the cursor and the name of each, the photo or person that it is about, and how often that person had
    /// joined the group by then.
    package var events: [String] = []
    package var created: [Sight] = []
    package var ended: [Sight] = []
    /// The times between the last bytes of a connection and the first ones of the next.
    package var gaps: [ClosedRange<Date>] = []
    /// Answers that a resumed stream must not get.
    package var refusals: [Int] = []
    /// The cursors at which the stream has shown each person joining each group.
    private var joinings: [String: Set<String>] = [:]

    package init() {}

    package mutating func add(_ received: [EventText.Event], at date: Date) {
        for event in received {
            guard let data = try? JSONSerialization.jsonObject(with: Data(event.data.utf8)) as? [String: Any],
                let group = data["group_id"] as? String
            else { continue }
            // A cursor alone does not name an event: leaving a group may bring back an earlier one. Somebody who leaves,
            // comes back and leaves again gets the same cursor twice, if nothing else has happened.
            let subject = "\(data["user_id"] ?? data["photo_id"] ?? group)"
            let place = "\(group) \(subject)"
            if event.name == "member.joined" { joinings[place, default: []].insert(event.id) }
            events.append("\(event.name) \(event.id) \(subject) \(joinings[place]?.count ?? 0)")
            switch event.name {
            case "photo.created":
                let photo = (data["photo"] as? [String: Any])?["id"] as? String
                created.append(Sight(group: group, photo: photo ?? "", at: date))
            case "photo.deleted":
                ended.append(Sight(group: group, photo: data["photo_id"] as? String ?? "", at: date))
            default: break
            }
        }
    }
}

/// Holds streams against each other: what one member's stream shows, every other's must show, too.
package struct StreamChecker: Sendable {
    /// A stream that was open from before the first photo until after the end of the last.
    package struct Reader: Sendable {
        package let user: String
        /// The groups that the user was in all the time.
        package let groups: Set<String>
        package let log: StreamLog

        package init(user: String, groups: Set<String>, log: StreamLog) {
            self.user = user
            self.groups = groups
            self.log = log
        }
    }

    package let readers: [Reader]
    /// The accepted photos of each group.
    package let accepted: [String: Set<String>]

    package init(readers: [Reader], accepted: [String: Set<String>]) {
        self.readers = readers
        self.accepted = accepted
    }

    /// 1: a member's stream shows each photo once, and its end once, whatever broke its connections.
    package var findings: [Finding] {
        readers.flatMap(repetitions) + Set(readers.flatMap(\.groups)).sorted().flatMap(findings(in:))
    }

    private func repetitions(in reader: Reader) -> [Finding] {
        let (log, name) = (reader.log, "the stream of \(reader.user)")
        let lists = [
            ("events", log.events), ("new photos", log.created.map(\.photo)),
            ("ends", log.ended.map(\.photo)),
        ]
        return lists.compactMap { what, values in
            let repeated = Dictionary(grouping: values) { $0 }.filter { $0.value.count > 1 }
            guard let first = repeated.keys.min() else { return nil }
            return Finding(1, "\(name) repeats \(repeated.count) \(what), as \(first)")
        } + log.refusals.prefix(1).map { Finding(1, "\(name) was refused with \($0)") }
    }

    private func findings(in group: String) -> [Finding] {
        let readers = readers.filter { $0.groups.contains(group) }
        let created = readers.map { $0.log.created.filter { $0.group == group } }
        let born = Self.first(created.joined())
        let gone = Self.first(readers.flatMap { $0.log.ended.filter { $0.group == group } })
        let order = created.max { $0.count < $1.count }?.map(\.photo) ?? []
        var found: [Finding] = []
        let unseen = (accepted[group] ?? []).subtracting(born.keys).count
        if unseen > 0 { found.append(Finding(1, "no stream shows \(unseen) accepted photos of \(group)")) }
        for (reader, sights) in zip(readers, created) {
            let name = "the stream of \(reader.user) in \(group)"
            let seen = Set(sights.map(\.photo))
            let missing = born.filter { !seen.contains($0.key) && !isExcused(reader, $0.value, gone[$0.key]) }
            if let photo = missing.first?.key {
                found.append(Finding(1, "\(name) lacks \(missing.count) photos, as \(photo)"))
            }
            if order.filter(seen.contains) != sights.map(\.photo).filter(Set(order).contains) {
                found.append(Finding(1, "\(name) has another order than others"))
            }
            let ends = Set(reader.log.ended.map(\.photo))
            let open = seen.filter { gone[$0] != nil && !ends.contains($0) }
            if let photo = open.first {
                found.append(Finding(1, "\(name) lacks the ends of \(open.count) photos, as of \(photo)"))
            }
        }
        let endless = born.keys.filter { gone[$0] == nil }.count
        if endless > 0 {
            found.append(Finding(1, "no stream shows the ends of \(endless) photos of \(group)"))
        }
        return found
    }

    /// A photo that ended while the stream was away is not shown any more: no event shows a photo after its end.
    private func isExcused(_ reader: Reader, _ born: Date, _ gone: Date?) -> Bool {
        guard let gone else { return false }
        return reader.log.gaps.contains { $0.lowerBound <= born + 1 && $0.upperBound >= gone - 1 }
    }

    private static func first(_ sights: some Sequence<StreamLog.Sight>) -> [String: Date] {
        Dictionary(sights.map { ($0.photo, $0.at) }, uniquingKeysWith: min)
    }
}
