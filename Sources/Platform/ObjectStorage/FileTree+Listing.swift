import Foundation

extension FileTree {
    /// The objects whose keys begin with `prefix` and come after `last`, in the order of the keys' bytes.
    func list(prefix: String, after last: String?, limit: Int) throws -> ObjectListing {
        var walk = ListingWalk(prefix: Array(prefix.utf8), after: last.map { Array($0.utf8) }, limit: limit)
        try walk.visit("", in: objects)
        let page = walk.found.prefix(limit)
        return ObjectListing(
            objects: Array(page),
            continuation: walk.found.count > limit ? page.last?.key.rawValue : nil)
    }
}

/// Visits folders in order, leaving out what cannot hold a wanted key.
private struct ListingWalk {
    let prefix: [UInt8]
    let after: [UInt8]?
    let limit: Int
    /// One more than the limit when there is a next page.
    var found: [ObjectListing.Object] = []

    /// - Parameter base: the folder's key with its slash, or nothing.
    mutating func visit(_ base: String, in path: String) throws {
        // A folder counts with its slash: `a-b` comes before `a/c`.
        let entries = try Folder.entries(of: path)
            .map { (name: $0.isFolder ? $0.name + "/" : $0.name, isFolder: $0.isFolder) }
            .sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        for entry in entries where found.count <= limit {
            let key = base + entry.name
            if entry.isFolder {
                if mayHold(Array(key.utf8)) { try visit(key, in: "\(path)/\(entry.name.dropLast())") }
            } else if isWanted(Array(key.utf8)) {
                try add(key, path: "\(path)/\(entry.name)")
            }
        }
    }

    private mutating func add(_ key: String, path: String) throws {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            // Deleted meanwhile.
            if errno == ENOENT { return }
            throw FileFailure("lstat")
        }
        guard status.st_mode & S_IFMT == S_IFREG, let key = ObjectKey(rawValue: key) else { return }
        found.append(
            .init(key: key, size: Int(status.st_size), lastModified: OpenedFile.lastModified(status)))
    }

    private func isWanted(_ key: [UInt8]) -> Bool {
        key.starts(with: prefix) && (after?.lexicographicallyPrecedes(key) ?? true)
    }

    private func mayHold(_ folder: [UInt8]) -> Bool {
        guard folder.starts(with: prefix) || prefix.starts(with: folder) else { return false }
        guard let after else { return true }
        return after.starts(with: folder) || after.lexicographicallyPrecedes(folder)
    }
}
