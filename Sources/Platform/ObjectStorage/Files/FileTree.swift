import Foundation
import NIOCore

/// The folder of a ``FilesystemObjectStore``. Its calls block.
///
/// `objects/` holds each object's bytes at the path of its key; `incoming/` holds files that are being written. Both are on
/// one file system, so that a rename moves a finished file into place.
struct FileTree: Sendable {
    let objects: String
    let incoming: String

    init(root: String) {
        objects = root + "/objects"
        incoming = root + "/incoming"
    }

    /// - Throws: ``ObjectStoreError/rejected(_:culprit:)`` for a key that could lead out of the folder.
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

    /// Moves a finished file into place. The deletion of another object may remove the folder before the rename; then the
    /// folder is created again. Folders are flushed after the rename, so that this gap stays short.
    private func move(_ file: IncomingFile, to path: String) throws {
        let folder = Self.parent(of: path)
        var changed: Set<String> = [folder]
        for attempt in 1... {
            try makeFolder(folder, changing: &changed)
            if rename(file.path, path) == 0 { break }
            let failure = FileFailure("rename")
            guard failure.code == ENOENT else { throw failure }
            guard attempt < 1_000 else {
                throw ObjectStoreError.unavailable("deletions keep removing a folder that is needed")
            }
        }
        for folder in changed { try Self.flushFolder(folder) }
    }

    func makeFolders() throws {
        var changed: Set<String> = []
        for folder in [objects, incoming] { try makeFolder(folder, changing: &changed) }
        for folder in changed { try Self.flushFolder(folder) }
    }

    /// Creates a folder and its parents.
    /// - Parameter changed: gets the folders with a new entry. They must be flushed, or a power cut could lose the whole
    ///   path.
    private func makeFolder(_ path: String, changing changed: inout Set<String>) throws {
        if mkdir(path, 0o700) == 0 {
            changed.insert(Self.parent(of: path))
            return
        }
        switch errno {
        case EEXIST:
            var status = stat()
            // The folder is gone again. The rename will fail and start anew.
            guard stat(path, &status) == 0 else { return }
            guard status.st_mode & S_IFMT == S_IFDIR else { throw FileFailure("mkdir", code: ENOTDIR) }
        case ENOENT where path.contains("/"):
            try makeFolder(Self.parent(of: path), changing: &changed)
            if mkdir(path, 0o700) == 0 { changed.insert(Self.parent(of: path)) }
        default: throw FileFailure("mkdir")
        }
    }

    private static func flushFolder(_ path: String) throws {
        // The folder is gone again, so there is nothing to flush. The next writer creates it anew.
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

    /// Deletes an object and the folders that become empty. `rmdir` refuses a folder that is not empty, so nothing else
    /// is lost.
    func delete(_ key: ObjectKey) throws {
        let path = try path(of: key)
        guard unlink(path) == 0 else {
            // The file is missing, is a folder, or one of its folders is a file: there is no such object.
            if [ENOENT, ENOTDIR, EISDIR, EPERM].contains(errno) { return try confirmAbsence(of: path) }
            throw FileFailure("unlink")
        }
        var folder = Self.parent(of: path)
        while folder.utf8.count > objects.utf8.count, rmdir(folder) == 0 { folder = Self.parent(of: folder) }
        try Self.flushFolder(folder)
    }

    /// Throws if there is an object at the path after all.
    private func confirmAbsence(of path: String) throws {
        let reason = FileFailure("unlink")
        var status = stat()
        if lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG { throw reason }
    }

    // MARK: Upkeep

    /// Throws unless an object could be written now.
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

    /// The time of the file system's clock, read from a file written now.
    func currentDate() throws -> Date {
        try makeFolders()
        let file = try IncomingFile(in: incoming)
        defer { unlink(file.path) }
        try file.descriptor.write(ByteBuffer(string: "now"))
        return OpenedFile.lastModified(try file.descriptor.status())
    }

    /// Removes the files of crashed writers: files in `incoming/` that no process has locked.
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

/// A file that is being written. Its writer holds its lock until it ends.
struct IncomingFile {
    let path: String
    let descriptor: FileDescriptor

    init(in folder: String) throws {
        for _ in 1...20 {
            let path = "\(folder)/\(UUID().uuidString.lowercased())"
            guard let file = try FileDescriptor.open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW) else {
                throw FileFailure("open", code: ENOENT)
            }
            // Between opening and locking, another process may have removed the file as abandoned.
            if file.tryLock(), try file.status().st_nlink > 0 {
                self.path = path
                self.descriptor = file
                return
            }
        }
        throw FileFailure("flock", code: EAGAIN)
    }
}
