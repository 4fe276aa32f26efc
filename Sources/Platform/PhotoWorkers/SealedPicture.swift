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

/// Makes a picture from bytes as they arrive, so that they are in memory only once. Its calls throw
/// `PhotoWorkerError.unavailable` if the system has no memory or no descriptor for the file.
package struct SealedPictureWriter: ~Copyable {
    private let file: MemoryFile
    private var byteCount = 0

    package init() throws(PhotoWorkerError) {
        file = try Self.orUnavailable { () throws(SystemFailure) in try MemoryFile(named: "photo") }
    }

    package mutating func append(_ bytes: ByteBuffer) throws(PhotoWorkerError) {
        try Self.orUnavailable { () throws(SystemFailure) in try file.append(bytes) }
        byteCount += bytes.readableBytes
    }

    package consuming func finish() throws(PhotoWorkerError) -> SealedPicture {
        try Self.orUnavailable { () throws(SystemFailure) in try file.seal() }
        return SealedPicture(file: file, byteCount: byteCount)
    }

    private static func orUnavailable<Value: ~Copyable>(
        _ call: () throws(SystemFailure) -> Value
    ) throws(PhotoWorkerError) -> Value {
        do {
            return try call()
        } catch {
            throw .unavailable(error.description)
        }
    }
}
