import Glibc

extension Checker {
    /// 3: an object belongs to a row, and what is over is gone.
    func orphans(_ remains: Remains, isOver: Bool) -> [Finding] {
        var found = remains.objects.keys.filter { !remains.ledger.contains($0) }
            .map { Finding(3, "\($0) is in the bucket and in no row") }
        guard isOver else { return found }
        found += remains.objects.keys.map { Finding(3, "\($0) is still in the bucket") }
        found += remains.ledger.map { Finding(3, "\($0) is still in the ledger") }
        found += remains.photos.filter { $0.isExpired || !$0.isLive }
            .map { Finding(3, "the row of photo \($0.id) is still there") }
        return found
    }

    /// 2: one row for each sender, group and day.
    func duplicates(_ remains: Remains) -> [Finding] {
        Dictionary(grouping: remains.photos) { [$0.sender, $0.group, $0.day] }.values.filter { $0.count > 1 }
            .map { Finding(2, "\($0.count) rows for one sender, group and day") }
    }

    /// 1: an accepted photo that has not ended is there with both of its objects.
    func keptPhotos(_ remains: Remains) -> [Finding] {
        remains.photos.filter { $0.isLive && !$0.isExpired }.flatMap { photo in
            photo.keys.filter { remains.objects[$0] == nil }.map { key in
                Finding(1, "the object \(key) of the live photo \(photo.id) is missing")
            }
        }
    }

    /// 5: nothing of the original but its pixels.
    func secrets(_ remains: Remains) -> [Finding] {
        remains.objects.filter { contains($0.value) }.map {
            Finding(5, "\($0.key) holds the original's metadata")
        }
            + remains.files.filter { contains($0.value) }
            .map { Finding(5, "the file \($0.key) holds the original's metadata") }
            + remains.database.filter { contains(Array($0.utf8)) }.prefix(3)
            .map { Finding(5, "a row holds the original's metadata: \($0.prefix(60))") }
    }

    private func contains(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { haystack in
            rules.secret.withUnsafeBytes { needle in
                guard let first = needle.first, var start = haystack.baseAddress else { return false }
                let end = start + haystack.count
                while start + needle.count <= end,
                    let hit = memchr(start, Int32(first), end - start).map(UnsafeRawPointer.init),
                    hit + needle.count <= end
                {
                    if let mark = needle.baseAddress, memcmp(hit, mark, needle.count) == 0 { return true }
                    start = hit + 1
                }
                return false
            }
        }
    }

    /// 6: no user in more groups, no group with more members than may be.
    func limits(_ remains: Remains) -> [Finding] {
        var found: [Finding] = []
        if remains.mostGroups > rules.groupsPerUser {
            found.append(Finding(6, "somebody is in \(remains.mostGroups) groups"))
        }
        if remains.mostMembers > rules.membersPerGroup {
            found.append(Finding(6, "a group has \(remains.mostMembers) members"))
        }
        return found
    }
}
