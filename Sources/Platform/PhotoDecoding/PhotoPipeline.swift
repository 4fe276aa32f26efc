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

    /// `recognised` hears of format and size before any pixel is decoded.
    package func run(
        _ bytes: Bytes, recognised: (photo_format, PictureSize?) -> Void
    ) throws(WorkerFailure) -> Result {
        let photo = try picture(of: bytes, recognised: recognised)
        let thumbnail = try photo.reduced(to: photo.size.fitted(to: limits.thumbnailLongEdge))
        return Result(
            photo: try photo.encoded(quality: limits.quality),
            thumbnail: try thumbnail.encoded(quality: limits.quality),
            placeholder: try thumbnail.reduced(
                to: thumbnail.size.fitted(to: Int(PHOTO_PLACEHOLDER_EDGE))))
    }

    /// What is encoded as the photo: reduced, sRGB, upright.
    package func picture(
        of bytes: Bytes, recognised: (photo_format, PictureSize?) -> Void
    ) throws(WorkerFailure) -> Picture {
        guard let format = ImageFormat(of: bytes) else { throw .unsupported }
        recognised(format.code, nil)
        guard limits.allows(format.code) else { throw .unsupported }
        var orientation: Int?
        switch format {
        case .jpeg: orientation = try JPEGStructure(of: bytes, maxScans: limits.maxScans).orientation
        case .heif, .avif: try HEIFStructure.check(bytes, limits: limits)
        case .png, .webp: break
        }
        let reader = try PictureReader(format, bytes)
        recognised(format.code, reader.size)
        try limits.check(width: reader.size.width, height: reader.size.height)
        orientation = orientation ?? reader.exif.flatMap(ExifOrientation.find)
        return try reader.picture(format: format, longEdge: limits.photoLongEdge)
            .turned(by: orientation ?? 1)
    }
}
