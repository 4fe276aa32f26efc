import Foundation

extension FileTree {
    /// The first keys that begin with `prefix` and come after `last`, in the order of their bytes. It does not check that
    /// each file is an object.
    ///
    /// - Parameter limit: the largest number of keys to return. One more is read to see whether others follow.
    func keys(prefix: String, after last: String?, limit: Int) throws -> ListingWindow {
        var walk = ListingWalk(
            prefix: Array(prefix.utf8), after: last.map { Array($0.utf8) }, limit: limit + 1)
        try walk.visit("", in: objects)
        return ListingWindow(keys: walk.found.prefix(limit), isLast: walk.found.count <= limit)
    }

    /// An object's entry in a listing; nil when the file is not an object or was deleted meanwhile.
    func listed(_ key: String) throws -> ObjectListing.Object? {
        var status = stat()
        guard lstat("\(objects)/\(key)", &status) == 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw FileFailure("lstat")
        }
        guard status.st_mode & S_IFMT == S_IFREG, let key = ObjectKey(rawValue: key) else { return nil }
        return .init(key: key, size: Int(status.st_size), lastModified: OpenedFile.lastModified(status))
    }
}

/// The keys of a listing that are read and not yet returned.
struct ListingWindow: Sendable {
    var keys: ArraySlice<String>
    /// Whether these are the last keys of the listing.
    let isLast: Bool
}

/// Visits folders in order and skips the folders that cannot hold a wanted key.
private struct ListingWalk {
    let prefix: [UInt8]
    let after: [UInt8]?
    let limit: Int
    var found: [String] = []

    /// - Parameter base: the folder's key with a slash at its end; empty for the root.
    mutating func visit(_ base: String, in path: String) throws {
        var last: String?
        while found.count < limit {
            let wanted = limit - found.count
            let names = try Folder.first(wanted, of: path, after: last) { mayHoldWanted(base + $0) }
            for name in names where found.count < limit {
                if name.hasSuffix("/") {
                    try visit(base + name, in: "\(path)/\(name.dropLast())")
                } else {
                    found.append(base + name)
                }
            }
            // Folders may have been empty, so more names may be needed.
            guard names.count == wanted else { return }
            last = names.last
        }
    }

    /// Whether this is a wanted key, or a folder (with a slash at its end) that may hold one.
    private func mayHoldWanted(_ key: String) -> Bool {
        guard key.hasSuffix("/") else {
            return key.utf8.starts(with: prefix) && (after?.lexicographicallyPrecedes(key.utf8) ?? true)
        }
        guard key.utf8.starts(with: prefix) || prefix.starts(with: key.utf8) else { return false }
        guard let after else { return true }
        return after.starts(with: key.utf8) || after.lexicographicallyPrecedes(key.utf8)
    }
}

extension Folder {
    /// The first names in the order of their bytes. A folder's name ends with a slash, which counts in the order: `a-b`
    /// comes before `a/c`. The function holds at most about twice `count` names in memory.
    fileprivate static func first(
        _ count: Int, of path: String, after last: String?, where isWanted: (String) -> Bool
    ) throws -> [String] {
        var names: [String] = []
        var bar: String?
        func keepFirst() {
            names.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
            guard names.count > count else { return }
            names.removeLast(names.count - count)
            bar = names.last
        }
        try forEachEntry(of: path) { entry in
            let name = entry.isFolder ? entry.name + "/" : entry.name
            if let last, !last.utf8.lexicographicallyPrecedes(name.utf8) { return }
            if let bar, !name.utf8.lexicographicallyPrecedes(bar.utf8) { return }
            guard isWanted(name) else { return }
            names.append(name)
            if names.count >= count * 2 { keepFirst() }
        }
        keepFirst()
        return names
    }
}
