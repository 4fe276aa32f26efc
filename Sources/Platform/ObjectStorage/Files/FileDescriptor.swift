import Foundation
import NIOCore

/// A failed system call on a file, with its `errno`.
struct FileFailure: Error, CustomStringConvertible {
    let call: String
    let code: Int32

    init(_ call: String, code: Int32 = errno) {
        self.call = call
        self.code = code
    }

    var description: String { "\(call): \(String(cString: strerror(code)))" }

    /// The error for callers. It names no path.
    var storeError: ObjectStoreError {
        switch code {
        case ENOENT: .notFound
        case EACCES, EPERM, EROFS: .rejected("\(self): the store's folder is not writable", culprit: .folder)
        case ENOTDIR, EISDIR, ENOTEMPTY, EEXIST:
            .rejected("\(self): an object and a folder have the same name in the store's folder")
        case ENAMETOOLONG: .rejected("\(self): the path of the store's folder is too long", culprit: .folder)
        default: .unavailable("\(self) in the store's folder")
        }
    }
}

/// An open file. It is closed when its last reference goes away.
final class FileDescriptor: Sendable {
    private let number: Int32

    private init(_ number: Int32) {
        self.number = number
    }

    deinit { close(number) }

    /// `nil` when there is no such file.
    static func open(_ path: String, _ flags: Int32) throws -> FileDescriptor? {
        while true {
            let number = Foundation.open(path, flags | O_CLOEXEC, 0o600)
            if number >= 0 { return FileDescriptor(number) }
            switch errno {
            case EINTR: continue
            // A file is in place of a folder, or a link in place of a file: there is no such object.
            case ENOENT, ENOTDIR, ELOOP: return nil
            default: throw FileFailure("open")
            }
        }
    }

    func status() throws -> stat {
        var status = stat()
        guard fstat(number, &status) == 0 else { throw FileFailure("fstat") }
        return status
    }

    /// Takes the file's lock if it is free, until the file is closed. Returns whether it was free.
    func tryLock() -> Bool { flock(number, LOCK_EX | LOCK_NB) == 0 }

    func write(_ bytes: ByteBuffer) throws {
        try bytes.withUnsafeReadableBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = Foundation.write(
                    number, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if count < 0 {
                    if errno == EINTR { continue }
                    throw FileFailure("write")
                }
                rest = rest.dropFirst(count)
            }
        }
    }

    func flush() throws {
        guard fsync(number) == 0 else { throw FileFailure("fsync") }
    }

    /// All bytes of `range`.
    /// - Throws: ``ObjectStoreError/corrupted(_:)`` when the file ends earlier.
    func read(_ range: Range<Int>) throws -> ByteBuffer {
        var buffer = ByteBufferAllocator().buffer(capacity: range.count)
        while buffer.readableBytes < range.count {
            let missing = range.count - buffer.readableBytes
            let offset = range.lowerBound + buffer.readableBytes
            var count = 0
            buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: missing) { bytes in
                count = pread(number, bytes.baseAddress, missing, off_t(offset))
                return max(0, count)
            }
            if count < 0, errno != EINTR { throw FileFailure("pread") }
            if count == 0 { throw ObjectStoreError.corrupted("a file is shorter than it was") }
        }
        return buffer
    }
}

/// A regular file opened for reading, with its attributes at that moment.
struct OpenedFile: Sendable {
    let descriptor: FileDescriptor
    let size: Int
    /// A strong ETag: an object that is written again under the same key is another file.
    let etag: String
    let lastModified: Date

    /// `nil` when this is not a regular file.
    init?(_ descriptor: FileDescriptor) throws {
        let status = try descriptor.status()
        guard status.st_mode & S_IFMT == S_IFREG else { return nil }
        self.descriptor = descriptor
        size = Int(status.st_size)
        lastModified = Self.lastModified(status)
        let parts = [Int(status.st_ino), Int(status.st_size), status.st_mtim.tv_sec, status.st_mtim.tv_nsec]
        etag = "\"\(parts.map { String($0, radix: 16) }.joined(separator: "-"))\""
    }

    static func lastModified(_ status: stat) -> Date {
        Date(timeIntervalSince1970: TimeInterval(status.st_mtim.tv_sec))
    }
}

/// Reads the entries of a folder.
enum Folder {
    /// The entries of a folder; none when the folder does not exist. Leaves out names that are not UTF-8, because no key
    /// has such a name.
    static func entries(of path: String) throws -> [(name: String, isFolder: Bool)] {
        var entries: [(name: String, isFolder: Bool)] = []
        try forEachEntry(of: path) { entries.append($0) }
        return entries
    }

    /// Calls `body` for each entry, in no particular order.
    static func forEachEntry(of path: String, _ body: ((name: String, isFolder: Bool)) throws -> Void) throws
    {
        guard let folder = opendir(path) else {
            if errno == ENOENT || errno == ENOTDIR { return }
            throw FileFailure("opendir")
        }
        defer { closedir(folder) }
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
                name.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: name.pointee)) {
                    String(validatingCString: $0)
                }
            }
            guard let name, name != ".", name != ".." else { continue }
            try body((name, isFolder(entry.pointee.d_type, "\(path)/\(name)")))
        }
    }

    private static func isFolder(_ type: UInt8, _ path: String) -> Bool {
        // Some file systems do not report the type here.
        guard Int(type) == DT_UNKNOWN else { return Int(type) == DT_DIR }
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}
