import Foundation

/// A session in a file that only its owner can read. For Linux and tools: apps use the Keychain.
///
/// A write replaces the file as a whole, so that another process reads either the old session or the new one.
public struct FileTokenStore: TokenStore {
    private let file: URL

    /// - Parameter file: its folder is made when it is missing, for the owner alone.
    public init(file: URL) {
        self.file = file
    }

    public func read() throws -> StoredSession? {
        do {
            return try JSONDecoder().decode(StoredSession.self, from: Data(contentsOf: file))
        } catch CocoaError.fileReadNoSuchFile, CocoaError.fileNoSuchFile {
            return nil
        }
    }

    public func write(_ session: StoredSession) throws {
        let folder = file.deletingLastPathComponent()
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let draft = folder.appendingPathComponent(".\(file.lastPathComponent).\(UUID().uuidString)")
        do {
            try Self.create(draft, try JSONEncoder().encode(session))
            guard rename(draft.path, file.path) == 0 else { throw Self.failure(file) }
        } catch {
            unlink(draft.path)
            throw error
        }
        try Self.synchronize(folder)
    }

    public func remove() throws {
        guard unlink(file.path) == 0 || errno == ENOENT else { throw Self.failure(file) }
        if FileManager.default.fileExists(atPath: file.deletingLastPathComponent().path) {
            try Self.synchronize(file.deletingLastPathComponent())
        }
    }

    /// The permissions come with the file, so that nobody can open it in between.
    private static func create(_ file: URL, _ data: Data) throws {
        let descriptor = open(file.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure(file) }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        try handle.write(contentsOf: data)
        try handle.synchronize()
        try handle.close()
    }

    /// A new name survives a power failure only once its folder has been written.
    private static func synchronize(_ folder: URL) throws {
        let descriptor = open(folder.path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(folder) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw failure(folder) }
    }

    private static func failure(_ file: URL) -> any Error {
        CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: file.path, "errno": Int(errno)])
    }
}
