import CImageCodecs
import CProcess

/// Turns one file into a photo, a thumbnail and the pixels of a placeholder: recognise the format, refuse a picture whose
/// header exceeds a limit, decode at the smallest sufficient size, reduce, convert to sRGB, turn upright, encode.
package struct PhotoPipeline {
    private let limits: WorkerLimits
    private let threads: Int

    /// - Parameter threads: the number of threads that may decode the tiles of one picture.
    package init(limits: WorkerLimits, threads: Int = 1) {
        self.limits = limits
        self.threads = threads
    }

    package struct Result: ~Copyable {
        package let photo: EncodedPicture
        package let thumbnail: EncodedPicture
        package let placeholder: Picture
    }

    /// Loads the codec's libraries before the sandbox forbids access to files.
    package func prepare(for bytes: Bytes) {
        switch ImageFormat(of: bytes) {
        case .heif, .avif:
            if limits.allows(.heif) || limits.allows(.avif) { picture_prepare_heif() }
        case .jpeg, .png, .webp, nil: break
        }
    }

    /// Processes the picture row by row. Only a picture that must be turned is in memory as a whole.
    ///
    /// - Parameter recognised: called with the format and the size before any pixel is decoded.
    package func run(
        _ bytes: Bytes, recognised: (photo_format, PictureSize?) -> Void
    ) throws(WorkerFailure) -> Result {
        let source = try open(bytes, recognised: recognised)
        if source.orientation != 1 {
            let upright = try source.picture(longEdge: limits.photoLongEdge)
            var output = try PhotoOutput(size: upright.size, limits: limits)
            for y in 0..<upright.size.height { try output.take(upright.row(y)) }
            return try output.finish(placeholderEdge: Int(PHOTO_PLACEHOLDER_EDGE))
        }
        let plan = try source.reader.start(format: source.format, longEdge: limits.photoLongEdge)
        var output = try PhotoOutput(size: plan.size, limits: limits)
        try source.reader.forEachRow(of: plan) { (row) throws(WorkerFailure) in try output.take(row) }
        return try output.finish(placeholderEdge: Int(PHOTO_PLACEHOLDER_EDGE))
    }

    /// The picture that is encoded as the photo: reduced, in sRGB and upright.
    package func picture(
        of bytes: Bytes, recognised: (photo_format, PictureSize?) -> Void
    ) throws(WorkerFailure) -> Picture {
        try open(bytes, recognised: recognised).picture(longEdge: limits.photoLongEdge)
    }

    private func open(
        _ bytes: Bytes, recognised: (photo_format, PictureSize?) -> Void
    ) throws(WorkerFailure) -> Source {
        guard let format = ImageFormat(of: bytes) else { throw .unsupported }
        recognised(format.code, nil)
        guard limits.allows(format.code) else { throw .unsupported }
        var jpeg: JPEGStructure?
        var heif: HEIFStructure?
        switch format {
        case .jpeg: jpeg = try JPEGStructure(of: bytes, maxScans: limits.maxScans)
        case .heif, .avif: heif = try HEIFStructure(of: bytes, limits: limits)
        case .png, .webp: break
        }
        let reader = try PictureReader(format, bytes, jpeg: jpeg, heif: heif, threads: threads)
        recognised(format.code, reader.size)
        try limits.check(width: reader.size.width, height: reader.size.height)
        let orientation = jpeg?.orientation ?? reader.orientation ?? reader.exif.flatMap(ExifOrientation.find)
        return Source(format: format, orientation: orientation ?? 1, reader: reader)
    }
}

/// A file whose header is valid and within the limits.
private struct Source: ~Copyable {
    let format: ImageFormat
    let orientation: Int
    let reader: PictureReader

    /// The whole picture, turned upright.
    func picture(longEdge: Int) throws(WorkerFailure) -> Picture {
        let plan = try reader.start(format: format, longEdge: longEdge)
        let picture = try Picture(size: plan.size)
        var y = 0
        try reader.forEachRow(of: plan) { (row) throws(WorkerFailure) in
            picture.row(y).update(from: row, count: plan.size.width * 4)
            y += 1
        }
        return try picture.turned(by: orientation)
    }
}
