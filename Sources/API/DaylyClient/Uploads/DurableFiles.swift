import Foundation

/// File operations whose result survives the end of the process, and of the system where fsync keeps its promise.
package enum DurableFiles {
    /// Makes a folder that only its owner may read.
    package static func makeFolder(_ folder: URL) throws {
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    /// Writes a file that only its owner may read, and waits until it is on the disk.
    package static func write(_ data: Data, to file: URL) throws {
        guard
            FileManager.default.createFile(
                atPath: file.path, contents: nil, attributes: [.posixPermissions: 0o600])
        else { throw CocoaError(.fileWriteUnknown) }
        let handle = try FileHandle(forWritingTo: file)
        defer { try? handle.close() }
        try handle.write(contentsOf: data)
        try handle.synchronize()
    }

    /// Waits until the names in a folder are on the disk.
    package static func synchronize(folder: URL) throws {
        let descriptor = open(folder.path, O_RDONLY)
        guard descriptor >= 0 else { throw CocoaError(.fileReadUnknown) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw CocoaError(.fileWriteUnknown) }
    }

    /// The contents of a folder; nothing when the folder was removed.
    package static func contents(of folder: URL) throws -> [URL] {
        do {
            return try FileManager.default.contentsOfDirectory(
                at: folder, includingPropertiesForKeys: nil, options: [])
        } catch CocoaError.fileReadNoSuchFile, CocoaError.fileNoSuchFile {
            return []
        }
    }

    /// Keeps a folder out of backups, and readable in the background after the first unlock. Only Apple's systems do this.
    package static func protect(_ folder: URL) {
        #if canImport(Darwin)
        var folder = folder
        var values = URLResourceValues()
        values.isExcludedFromBackup = true
        try? folder.setResourceValues(values)
        #endif
        #if os(iOS)
        try? FileManager.default.setAttributes(
            [.protectionKey: FileProtectionType.completeUntilFirstUserAuthentication],
            ofItemAtPath: folder.path)
        #endif
    }
}

/// A lock between processes. The system releases it when the process ends, however it ends.
package final class FileLock: Sendable {
    private let descriptor: Int32

    package enum Mode: Sendable {
        /// Waits until no process holds the lock exclusively.
        case shared
        /// Does not wait for other holders.
        case exclusive
        /// Waits for other holders, who must be quick.
        case waiting
    }

    /// Nil while another holder excludes this one.
    package init?(_ file: URL, _ mode: Mode) {
        descriptor = open(file.path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return nil }
        let operation =
            switch mode {
            case .shared: LOCK_SH
            case .exclusive: LOCK_EX | LOCK_NB
            case .waiting: LOCK_EX
            }
        while flock(descriptor, operation) != 0 {
            if errno == EINTR { continue }
            close(descriptor)
            return nil
        }
    }

    deinit { close(descriptor) }
}
