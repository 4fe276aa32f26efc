import NIOCore

/// The result of one uploaded picture: two fresh JPEG files (baseline, sRGB, upright, no metadata) and a
/// placeholder.
package struct ProcessedImage: Sendable {
    /// The photo, at most `photoLongEdge` pixels on its long edge.
    package let photo: ByteBuffer
    /// The thumbnail, at most `thumbnailLongEdge` pixels on its long edge.
    package let thumbnail: ByteBuffer
    /// Width of the photo in pixels.
    package let width: Int
    /// Height of the photo in pixels.
    package let height: Int
    /// A ThumbHash of at most 25 bytes.
    package let thumbHash: [UInt8]

    package init(photo: ByteBuffer, thumbnail: ByteBuffer, width: Int, height: Int, thumbHash: [UInt8]) {
        self.photo = photo
        self.thumbnail = thumbnail
        self.width = width
        self.height = height
        self.thumbHash = thumbHash
    }
}
