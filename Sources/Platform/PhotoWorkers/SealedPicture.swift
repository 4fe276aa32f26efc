import NIOCore

/// The bytes of a picture, in an anonymous file in memory that a worker reads and that nobody can change.
package final class SealedPicture: Sendable {
    let file: MemoryFile
    let byteCount: Int

    fileprivate init(file: consuming MemoryFile, byteCount: Int) {
        self.file = file
        self.byteCount = byteCount
    }

    /// - Throws: `PhotoWorkerError.unavailable` if the system has no memory or no descriptor for the file.
    package static func of(_ bytes: ByteBuffer) throws(PhotoWorkerError) -> SealedPicture {
        var writer = try SealedPictureWriter()
        try writer.append(bytes)
        return try writer.finish()
    }
}

/// Makes a picture from bytes as they arrive, so that they are in memory only once.
package struct SealedPictureWriter: ~Copyable {
    private let file: MemoryFile
    private var byteCount = 0

    /// - Throws: `PhotoWorkerError.unavailable` if the system has no memory or no descriptor for the file.
    package init() throws(PhotoWorkerError) {
        do {
            file = try MemoryFile(named: "photo")
        } catch {
            throw .unavailable(error.description)
        }
    }

    /// - Throws: `PhotoWorkerError.unavailable` if the system has no memory for the bytes.
    package mutating func append(_ bytes: ByteBuffer) throws(PhotoWorkerError) {
        do {
            try file.append(bytes)
        } catch {
            throw .unavailable(error.description)
        }
        byteCount += bytes.readableBytes
    }

    /// - Throws: `PhotoWorkerError.unavailable` if the system refuses to protect the file.
    package consuming func finish() throws(PhotoWorkerError) -> SealedPicture {
        do {
            try file.seal()
        } catch {
            throw .unavailable(error.description)
        }
        return SealedPicture(file: file, byteCount: byteCount)
    }
}
