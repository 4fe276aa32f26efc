import Foundation
import NIOCore

/// The folder of a ``FilesystemObjectStore``, by blocking calls.
///
/// `objects/` holds an object's bytes at its key's path, `incoming/` what is being written. Both are on one
/// file system, so a finished file moves into place by a rename.
struct FileTree: Sendable {
    let objects: String
    let incoming: String

    init(root: String) {
        objects = root + "/objects"
        incoming = root + "/incoming"
    }

    /// - Throws: ``ObjectStoreError/rejected(_:culprit:)`` for a key that could lead anywhere else.
    func path(of key: ObjectKey) throws -> String {
        guard ObjectKey.isValid(key.rawValue) else {
            throw ObjectStoreError.rejected("an object key is malformed")
        }
        return "\(objects)/\(key.rawValue)"
    }

    // MARK: Writing

    func write(_ bytes: ByteBuffer, to key: ObjectKey) throws {
        let path = try path(of: key)
        try makeFolders()
        let file = try IncomingFile(in: incoming)
        do {
            try file.descriptor.write(bytes)
            try file.descriptor.flush()
            try move(file, to: path)
        } catch {
            unlink(file.path)
            throw error
        }
    }

    /// A deletion next door may prune the folder between its making and the rename: then it is made again.
    /// Flushing waits until the file is in its place, so that there is hardly any time between.
    private func move(_ file: IncomingFile, to path: String) throws {
        let folder = Self.parent(of: path)
        var changed: Set<String> = [folder]
        for attempt in 1... {
            try makeFolder(folder, changing: &changed)
            if rename(file.path, path) == 0 { break }
            let failure = FileFailure("rename")
            guard failure.code == ENOENT else { throw failure }
            guard attempt < 1_000 else {
                throw ObjectStoreError.unavailable("a folder is pruned all the time")
            }
        }
        for folder in changed { try Self.flushFolder(folder) }
    }

    func makeFolders() throws {
        var changed: Set<String> = []
        for folder in [objects, incoming] { try makeFolder(folder, changing: &changed) }
        for folder in changed { try Self.flushFolder(folder) }
    }

    /// Makes a folder and those above it.
    /// - Parameter changed: gets the folders with a new name in them, which have to be flushed, or a power cut
    ///   could take the whole path.
    private func makeFolder(_ path: String, changing changed: inout Set<String>) throws {
        if mkdir(path, 0o700) == 0 {
            changed.insert(Self.parent(of: path))
            return
        }
        switch errno {
        case EEXIST:
            var status = stat()
            // Gone again already: the rename will tell.
            guard stat(path, &status) == 0 else { return }
            guard status.st_mode & S_IFMT == S_IFDIR else { throw FileFailure("mkdir", code: ENOTDIR) }
        case ENOENT where path.contains("/"):
            try makeFolder(Self.parent(of: path), changing: &changed)
            if mkdir(path, 0o700) == 0 { changed.insert(Self.parent(of: path)) }
        default: throw FileFailure("mkdir")
        }
    }

    private static func flushFolder(_ path: String) throws {
        // Gone again: nothing to flush, and whoever needs it makes it anew.
        guard let folder = try FileDescriptor.open(path, O_RDONLY | O_DIRECTORY) else { return }
        try folder.flush()
    }

    private static func parent(of path: String) -> String {
        path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    }

    // MARK: Reading and deleting

    func open(_ key: ObjectKey) throws -> OpenedFile? {
        guard let descriptor = try FileDescriptor.open(try path(of: key), O_RDONLY | O_NOFOLLOW) else {
            return nil
        }
        return try OpenedFile(descriptor)
    }

    /// Also removes the folders that become empty: `rmdir` refuses those that are not, so nothing is lost.
    func delete(_ key: ObjectKey) throws {
        let path = try path(of: key)
        guard unlink(path) == 0 else {
            // Not there, or a folder on the way is a file, or it is itself a folder: no such object.
            if [ENOENT, ENOTDIR, EISDIR, EPERM].contains(errno) { return try confirmAbsence(of: path) }
            throw FileFailure("unlink")
        }
        var folder = Self.parent(of: path)
        while folder.utf8.count > objects.utf8.count, rmdir(folder) == 0 { folder = Self.parent(of: folder) }
        try Self.flushFolder(folder)
    }

    private func confirmAbsence(of path: String) throws {
        let reason = FileFailure("unlink")
        var status = stat()
        if lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG { throw reason }
    }

    // MARK: Upkeep

    /// Whether objects can be written at all.
    func probe() throws {
        try makeFolders()
        removeAbandonedFiles()
        let file = try IncomingFile(in: incoming)
        defer { unlink(file.path) }
        try file.descriptor.write(ByteBuffer(string: "probe"))
        try file.descriptor.flush()
        var (here, there) = (stat(), stat())
        guard stat(objects, &here) == 0, stat(incoming, &there) == 0 else { throw FileFailure("stat") }
        guard here.st_dev == there.st_dev else {
            throw ObjectStoreError.rejected(
                "objects/ and incoming/ in the store's folder are on two file systems", culprit: .folder)
        }
    }

    /// When a file that is written now was written, by the clock of the file system.
    func currentDate() throws -> Date {
        try makeFolders()
        let file = try IncomingFile(in: incoming)
        defer { unlink(file.path) }
        try file.descriptor.write(ByteBuffer(string: "now"))
        return OpenedFile.lastModified(try file.descriptor.status())
    }

    /// Removes what crashed writers left: files in `incoming/` whose lock nobody holds.
    func removeAbandonedFiles() {
        for name in (try? Folder.entries(of: incoming).map(\.name)) ?? [] {
            let path = "\(incoming)/\(name)"
            guard let file = try? FileDescriptor.open(path, O_RDWR | O_NOFOLLOW), file.tryLock() else {
                continue
            }
            unlink(path)
        }
    }
}

/// A file being written, locked for as long as its writer lives.
struct IncomingFile {
    let path: String
    let descriptor: FileDescriptor

    init(in folder: String) throws {
        for _ in 1...20 {
            let path = "\(folder)/\(UUID().uuidString.lowercased())"
            guard let file = try FileDescriptor.open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW) else {
                throw FileFailure("open", code: ENOENT)
            }
            // Between opening and locking, somebody who tidies up may have taken it for abandoned.
            if file.tryLock(), try file.status().st_nlink > 0 {
                self.path = path
                self.descriptor = file
                return
            }
        }
        throw FileFailure("flock", code: EAGAIN)
    }
}
