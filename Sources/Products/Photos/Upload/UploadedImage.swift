import Crypto
import NIOCore
import PhotoWorkers

/// The bytes of an upload, ready for the decoder, with their SHA-256.
struct UploadedImage: Sendable {
    let picture: SealedPicture
    let hash: SHA256.Digest

    /// - Throws: like `UploadedImageWriter`.
    static func of(_ bytes: ByteBuffer) throws(PhotoWorkerError) -> UploadedImage {
        var writer = try UploadedImageWriter()
        try writer.append(bytes)
        return try writer.finish()
    }
}

/// Makes the image of an upload from bytes as they arrive, while they are in the processor's cache. Its calls throw
/// `PhotoWorkerError.unavailable` if the system has no memory for the picture.
struct UploadedImageWriter: ~Copyable {
    private var picture: SealedPictureWriter
    private var hash = SHA256()

    init() throws(PhotoWorkerError) {
        picture = try SealedPictureWriter()
    }

    mutating func append(_ bytes: ByteBuffer) throws(PhotoWorkerError) {
        bytes.withUnsafeReadableBytes { hash.update(bufferPointer: $0) }
        try picture.append(bytes)
    }

    consuming func finish() throws(PhotoWorkerError) -> UploadedImage {
        let hash = hash.finalize()
        return UploadedImage(picture: try picture.finish(), hash: hash)
    }
}
