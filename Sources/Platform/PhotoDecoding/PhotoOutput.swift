/// Takes the rows of the upright photo and makes all three outputs: the photo, from it the thumbnail, and from that the
/// placeholder's pixels. Only the encoded files and the placeholder are in memory as a whole.
struct PhotoOutput: ~Copyable {
    private let photo: JPEGWriter
    private var thumbnail: Reduction
    private let quality: Int

    init(size: PictureSize, limits: WorkerLimits) throws(WorkerFailure) {
        let photo = try JPEGWriter(size: size, quality: limits.quality)
        let thumbnail = try Reduction(from: size, to: size.fitted(to: limits.thumbnailLongEdge))
        self.photo = photo
        self.thumbnail = thumbnail
        quality = limits.quality
    }

    mutating func take(_ row: UnsafeMutablePointer<UInt8>) throws(WorkerFailure) {
        try photo.write(row)
        thumbnail.take(row)
    }

    /// Ends the three outputs after the last row.
    consuming func finish(placeholderEdge: Int) throws(WorkerFailure) -> PhotoPipeline.Result {
        let size = thumbnail.picture.size
        let writer = try JPEGWriter(size: size, quality: quality)
        var placeholder = try Reduction(from: size, to: size.fitted(to: placeholderEdge))
        for y in 0..<size.height {
            try writer.write(thumbnail.picture.row(y))
            placeholder.take(thumbnail.picture.row(y))
        }
        return PhotoPipeline.Result(
            photo: try photo.finish(), thumbnail: try writer.finish(), placeholder: placeholder.picture)
    }
}

/// Makes a picture of a smaller size, or the same size, from rows of a larger one.
private struct Reduction: ~Copyable {
    let picture: Picture
    private let sourceWidth: Int
    private let resampler: Resampler
    private var rows = 0

    init(from size: PictureSize, to target: PictureSize) throws(WorkerFailure) {
        let picture = try Picture(size: target)
        let resampler = try Resampler(from: size, to: target)
        self.picture = picture
        self.resampler = resampler
        sourceWidth = size.width
    }

    mutating func take(_ row: UnsafeMutablePointer<UInt8>) {
        resampler.row.update(from: row, count: sourceWidth * 4)
        resampler.advance()
        while let finished = resampler.next() {
            picture.row(rows).update(from: finished, count: picture.size.width * 4)
            rows += 1
        }
    }
}
