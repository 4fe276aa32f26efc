import Foundation

#if canImport(ImageIO)
import ImageIO
import UniformTypeIdentifiers
#endif

/// Makes a picture ready to send: small, upright and without metadata, so that the place of a capture never leaves the
/// device. The service does the same again.
enum PictureReduction {
    /// The size of the pictures that the service keeps.
    static let longestEdge = 2048
    static let quality = 0.92

    /// The picture as a small JPEG; the picture itself where it cannot be decoded here.
    static func reduced(_ picture: Data) -> Data {
        #if canImport(ImageIO)
        jpeg(picture) ?? picture
        #else
        picture
        #endif
    }

    #if canImport(ImageIO)
    private static func jpeg(_ picture: Data) -> Data? {
        let options: [CFString: Any] = [
            kCGImageSourceCreateThumbnailFromImageAlways: true,
            kCGImageSourceCreateThumbnailWithTransform: true,
            kCGImageSourceThumbnailMaxPixelSize: longestEdge,
        ]
        let output = NSMutableData()
        // A thumbnail is an image without the source's properties, so no metadata comes along.
        guard let source = CGImageSourceCreateWithData(picture as CFData, nil),
            let image = CGImageSourceCreateThumbnailAtIndex(source, 0, options as CFDictionary),
            let destination = CGImageDestinationCreateWithData(
                output, UTType.jpeg.identifier as CFString, 1, nil)
        else { return nil }
        let properties = [kCGImageDestinationLossyCompressionQuality: quality]
        CGImageDestinationAddImage(destination, image, properties as CFDictionary)
        return CGImageDestinationFinalize(destination) ? output as Data : nil
    }
    #endif
}
