import Foundation
import NIOCore
import NIOPosix

/// An object opened for reading. It stays readable and unchanged for as long as a slow client needs, even if it is
/// deleted meanwhile. The file is closed when the last reference goes away.
package final class ObjectFile: Sendable {
    package let size: Int
    /// The strong ETag with quotes, as it is sent.
    package let etag: String
    /// In whole seconds.
    package let lastModified: Date
    package let contentType: String
    private let descriptor: FileDescriptor
    private let threads: NIOThreadPool

    init(_ file: OpenedFile, contentType: String, threads: NIOThreadPool) {
        self.size = file.size
        self.etag = file.etag
        self.lastModified = file.lastModified
        self.contentType = contentType
        self.descriptor = file.descriptor
        self.threads = threads
    }

    /// The bytes of `range` in chunks of at most ``Chunks/maxChunkBytes``. Each chunk is read when the caller asks for it,
    /// on a thread that may block.
    package func chunks(in range: Range<Int>) -> Chunks {
        Chunks(file: self, range: range.clamped(to: 0..<size))
    }

    fileprivate func read(_ range: Range<Int>) async throws(ObjectStoreError) -> ByteBuffer {
        do {
            return try await threads.runIfActive { [descriptor] in try descriptor.read(range) }
        } catch let error as ObjectStoreError {
            throw error
        } catch {
            throw .unavailable("cancelled, or shutting down")
        }
    }

    package struct Chunks: AsyncSequence, Sendable {
        package typealias Element = ByteBuffer
        package typealias Failure = ObjectStoreError
        package static let maxChunkBytes = 128 << 10
        fileprivate let file: ObjectFile
        fileprivate let range: Range<Int>

        package func makeAsyncIterator() -> Iterator { Iterator(file: file, rest: range) }

        package struct Iterator: AsyncIteratorProtocol {
            fileprivate let file: ObjectFile
            fileprivate var rest: Range<Int>

            package mutating func next() async throws(ObjectStoreError) -> ByteBuffer? {
                guard !rest.isEmpty else { return nil }
                let end = Swift.min(rest.lowerBound + Chunks.maxChunkBytes, rest.upperBound)
                defer { rest = end..<rest.upperBound }
                return try await file.read(rest.lowerBound..<end)
            }

            package mutating func next(
                isolation actor: isolated (any Actor)?
            ) async throws(ObjectStoreError) -> ByteBuffer? { try await next() }
        }
    }
}
