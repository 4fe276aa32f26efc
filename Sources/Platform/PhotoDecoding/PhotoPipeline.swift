import CImageCodecs
import CProcess

/// One file's way to a photo, a thumbnail and the pixels of a placeholder: recognise, refuse by the header what
/// is too much, decode as small as will do, reduce, convert, turn, encode.
package struct PhotoPipeline {
    private let limits: WorkerLimits

    package init(limits: WorkerLimits) {
        self.limits = limits
    }

    package struct Result: ~Copyable {
        package let photo: EncodedPicture
        package let thumbnail: EncodedPicture
        package let placeholder: Picture
    }

    /// Loads what this picture's codec loads from files, before files are out of reach.
    package func prepare(for bytes: Bytes) {
        switch ImageFormat(of: bytes) {
        case .heif, .avif:
            if limits.allows(.heif) || limits.allows(.avif) { picture_prepare_heif() }
        case .jpeg, .png, .webp, nil: break
        }
    }

    /// Row by row from decoder to encoder; only a picture that has to be turned is held whole. `recognised` hears
    /// of format and size before any pixel is decoded.
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

    /// The picture that is encoded as the photo: reduced, sRGB, upright.
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
        var orientation: Int?
        var colours: HEVCColours?
        switch format {
        case .jpeg: orientation = try JPEGStructure(of: bytes, maxScans: limits.maxScans).orientation
        case .heif, .avif: colours = try HEIFStructure.check(bytes, limits: limits)
        case .png, .webp: break
        }
        let reader = try PictureReader(format, bytes, colours: colours)
        recognised(format.code, reader.size)
        try limits.check(width: reader.size.width, height: reader.size.height)
        orientation = orientation ?? reader.exif.flatMap(ExifOrientation.find)
        return Source(format: format, orientation: orientation ?? 1, reader: reader)
    }
}

/// A file whose header is in order.
private struct Source: ~Copyable {
    let format: ImageFormat
    let orientation: Int
    let reader: PictureReader

    /// The whole picture, upright.
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
