import Foundation

extension Checker {
    /// 4: who is not in a group is shown nothing of it.
    var strangers: [Finding] {
        entries.flatMap { entry -> [Finding] in
            switch entry.call {
            case .feed, .photo: break
            default: return []
            }
            let groups: Set<String>
            if case .feed(let group) = entry.call, entry.answer.isSuccess {
                groups = [group]
            } else {
                groups = Set(entry.answer.photos.map(\.group))
            }
            return groups.filter { isStranger(entry.user, to: $0, from: entry.start, to: entry.end) }
                .map { Finding(4, "group \($0) was shown to \(entry.user), who is not in it") }
        }
    }

    /// 4: nor does a photo get in by somebody who is not in the group when it is accepted.
    var photosOfStrangers: [Finding] {
        accepted.filter {
            isStranger($0.entry.user, to: $0.photo.group, from: $0.entry.start, to: $0.entry.end)
        }
        .map { Finding(4, "a photo of \($0.entry.user), who is not in the group, was accepted") }
    }

    /// 4: a URL ends with its photo, and within the hour.
    var urls: [Finding] {
        entries.flatMap { entry in
            entry.answer.photos.compactMap { photo -> Finding? in
                if photo.urlExpiresAt > photo.expiresAt {
                    return Finding(4, "a URL of photo \(photo.id) outlives it")
                }
                if photo.urlExpiresAt > entry.end.addingTimeInterval(rules.urlLifetime + 1) {
                    return Finding(4, "a URL of photo \(photo.id) lives longer than it may")
                }
                return nil
            }
        }
    }

    /// 6: a code of an invitation is used by one person, once.
    /// 7: a sign-in code is used once.
    var codes: [Finding] {
        var found: [Finding] = []
        var signedIn: [String: Int] = [:]
        var joined: [String: [Entry]] = [:]
        for entry in entries where entry.answer.isSuccess {
            switch entry.call {
            case .verify(let verification): signedIn[verification, default: 0] += 1
            case .redeem(let code, _): joined[code, default: []].append(entry)
            default: break
            }
        }
        for (verification, count) in signedIn where count > 1 {
            found.append(Finding(7, "the code of verification \(verification) was accepted \(count) times"))
        }
        for (code, uses) in joined {
            if Set(uses.map(\.user)).count > 1 {
                found.append(Finding(6, "the invitation \(code) was used by several people"))
            }
            found += uses.filter { isUsedAgain($0, first: uses) }.map { _ in
                Finding(6, "the invitation \(code) brought somebody in twice")
            }
        }
        return found
    }

    /// Whether the code opened the group again after its user had been taken out of it.
    private func isUsedAgain(_ use: Entry, first uses: [Entry]) -> Bool {
        guard case .redeem(_, let group) = use.call,
            let before = uses.filter({ $0.end < use.start }).map(\.end).min()
        else { return false }
        let others = (index.joins[use.user] ?? []).contains { join in
            join.group == group && join.entry.call != use.call && join.entry.end > before
                && join.entry.start < use.end
        }
        return !others
            && endings(of: use.user, in: group).contains {
                $0.answer.isSuccess && $0.start > before && $0.end < use.start
            }
    }

    /// 7: a refresh token has one child.
    var tokens: [Finding] {
        var children: [String: Set<String>] = [:]
        for entry in entries {
            guard case .refresh(let parent) = entry.call, case .status(_, .tokens(let child)) = entry.answer
            else { continue }
            children[parent, default: []].insert(child)
        }
        return children.values.filter { $0.count > 1 }.map {
            Finding(7, "a refresh token has \($0.count) children")
        }
    }

    /// 8: nobody is told of a group's photos twice on a day. The same message may be sent several times, after an
    /// answer that was lost.
    package func findings(among deliveries: [Delivery]) -> [Finding] {
        Dictionary(grouping: deliveries) { [$0.device, $0.group, $0.day] }.values.compactMap { told in
            let messages = Set(told.map(\.id)).count
            guard messages > rules.messagesPerDay, let first = told.first else { return nil }
            return Finding(
                8, "\(first.device) was told of group \(first.group) by \(messages) messages on \(first.day)")
        }
    }

    /// 10: a hostile file is refused with a 4xx, or with a 503 when something else is broken.
    var hostility: [Finding] {
        entries.compactMap { entry in
            guard case .hostileUpload(_, let mayBeTaken) = entry.call, let status = entry.answer.status,
                !(400..<500).contains(status), status != 503, !(mayBeTaken && entry.answer.isSuccess)
            else { return nil }
            return Finding(10, "a hostile file was answered \(status)")
        }
    }
}
