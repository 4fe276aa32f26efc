import Foundation

extension Checker {
    /// A dependency that fails is a 503 and no accident.
    var internalErrors: [Finding] {
        entries.filter { $0.answer.status == 500 || $0.answer.problem == "unreadable answer" }
            .map { Finding(0, "\($0.call) was answered \($0.answer)") }
    }

    /// 1: whoever is a member sees an accepted photo in every feed, and can fetch it, until it ends.
    var readability: [Finding] {
        var found: [Finding] = []
        for (id, answers) in Dictionary(grouping: accepted, by: \.photo.id) {
            guard let first = answers.min(by: { $0.entry.end < $1.entry.end }) else { continue }
            let end = ending(of: first.photo)
            let isMissing = (index.feeds[first.photo.group] ?? []).contains { read in
                read.answer.isSuccess && read.start >= first.entry.end && read.end < end
                    && !read.answer.photos.contains { $0.id == id }
                    && isMember(read.user, of: first.photo.group, during: read)
            }
            if isMissing {
                found.append(Finding(1, "the accepted photo \(id) is missing in a member's feed"))
            }
            for fetch in index.fetches[id] ?? [] where fetch.end < end {
                if let status = fetch.answer.status, status != 200 {
                    found.append(Finding(1, "the accepted photo \(id) could not be fetched: \(status)"))
                }
            }
        }
        return found + expired
    }

    private func isMember(_ user: String, of group: String, during entry: Entry) -> Bool {
        memberships(of: user, in: group).contains { $0.from <= entry.start && entry.end < $0.until }
    }

    /// Nothing is shown after its time.
    private var expired: [Finding] {
        entries.flatMap { entry -> [Finding] in
            entry.answer.photos.filter { $0.expiresAt.addingTimeInterval(1) < entry.start }
                .map { Finding(4, "photo \($0.id) was shown after its expiry") }
        }
    }

    private struct Slot: Hashable {
        let sender: String
        let group: String
        let day: Int
    }

    private func slot(_ entry: Entry) -> Slot? {
        guard case .upload(let group, _, _, let day) = entry.call else { return nil }
        return Slot(sender: entry.user, group: group, day: day)
    }

    /// 2: one photo for each sender, group and day, whatever was answered and shown.
    var oncePerDay: [Finding] {
        var found: [Finding] = []
        var photos: [Slot: Set<String>] = [:]
        for accepted in accepted {
            guard let slot = slot(accepted.entry) else { continue }
            photos[slot, default: []].insert(accepted.photo.id)
        }
        for (slot, ids) in photos where ids.count > 1 {
            found.append(Finding(2, "\(ids.count) photos of one sender, group and day: \(slot)"))
        }
        // A photo in a feed whose acceptance was not seen must belong to a day, too.
        var days: [[String]: Set<Int>] = [:]
        for slot in entries.compactMap(slot) {
            days[[slot.sender, slot.group], default: []].insert(slot.day)
        }
        var shown: [[String]: Set<String>] = [:]
        for photo in entries.flatMap(\.answer.photos) {
            shown[[photo.sender, photo.group], default: []].insert(photo.id)
        }
        for (pair, ids) in shown {
            let count = days[pair]?.count ?? 0
            if count > 0, ids.count > count {
                found.append(Finding(2, "\(ids.count) photos of one sender in one group on \(count) days"))
            }
        }
        return found
    }

    /// 2: "already sent" is true: something of that day was accepted, or may have been.
    var usedDays: [Finding] {
        let bySlot = Dictionary(grouping: entries.filter { slot($0) != nil }, by: { slot($0) })
        return bySlot.values.flatMap { attempts -> [Finding] in
            attempts.filter { $0.answer.problem == "already_sent_today" }.compactMap { refused in
                guard case .upload(_, let key, _, _) = refused.call else { return nil }
                let isTrue = attempts.contains { other in
                    guard case .upload(_, let otherKey, _, _) = other.call, otherKey != key,
                        other.start < refused.end
                    else { return false }
                    return other.answer.isSuccess || other.answer == .lost
                        || (other.answer.status ?? 0) >= 500
                }
                return isTrue ? nil : Finding(2, "a day is used up, and nothing was sent: \(refused.call)")
            }
        }
    }

    /// 2: what failed works within the limit, for who keeps trying.
    var retries: [Finding] {
        let bySlot = Dictionary(grouping: entries.filter { slot($0) != nil }, by: { slot($0) })
        return bySlot.values.compactMap { attempts -> Finding? in
            let isSettled = { (entry: Entry) in
                entry.answer.isSuccess
                    || ["already_sent_today", "photo_gone", "not_found", "unauthorized"].contains(
                        entry.answer.problem)
            }
            guard let first = attempts.map(\.start).min(), let last = attempts.map(\.end).max() else {
                return nil
            }
            let settled = attempts.filter(isSettled).map(\.end).min()
            let waited = (settled ?? last).timeIntervalSince(first)
            guard waited > rules.retryLimit else { return nil }
            return Finding(2, "an upload did not come through within \(Int(waited)) s: \(attempts[0].call)")
        }
    }

    /// 2: a key stands for one photo and one file.
    var keys: [Finding] {
        struct Key: Hashable {
            let sender, group, key: String
        }
        var uses: [Key: [(bytes: Int, id: String)]] = [:]
        for accepted in accepted {
            guard case .upload(let group, let key, let bytes, _) = accepted.entry.call else { continue }
            uses[Key(sender: accepted.entry.user, group: group, key: key), default: []]
                .append((bytes, accepted.photo.id))
        }
        return uses.compactMap { key, uses in
            if Set(uses.map(\.id)).count > 1 {
                return Finding(2, "one key stands for several photos: \(key.key)")
            }
            if Set(uses.map(\.bytes)).count > 1 {
                return Finding(2, "one key took different bytes: \(key.key)")
            }
            return nil
        }
    }
}
