import CProcess
import NIOCore

/// A worker's answer. Nothing in it is trusted before a check, because a hostile picture may have taken over the worker.
struct WorkerAnswer {
    private let header: photo_worker_answer
    private let configuration: ImageProcessorConfiguration
    let format: String

    init?(in file: borrowing MemoryFile, configuration: ImageProcessorConfiguration) {
        guard let bytes = file.read(MemoryLayout<photo_worker_answer>.size, at: 0) else { return nil }
        header = bytes.withUnsafeReadableBytes { $0.loadUnaligned(as: photo_worker_answer.self) }
        guard header.magic == PHOTO_WORKER_MAGIC, let format = photo_format.label(of: header.format)
        else { return nil }
        self.format = format
        self.configuration = configuration
    }

    /// The size of the original according to the worker; for the log only.
    var sourceWidth: Int { Int(header.source_width) }
    var sourceHeight: Int { Int(header.source_height) }

    /// The parts of the answer after every check; nil when any check fails.
    func image(from file: borrowing MemoryFile) -> ProcessedImage? {
        let width = Int(header.photo_width)
        let height = Int(header.photo_height)
        let thumbnailWidth = Int(header.thumbnail_width)
        let thumbnailHeight = Int(header.thumbnail_height)
        guard Self.fits(width, height, edge: configuration.photoLongEdge),
            Self.fits(thumbnailWidth, thumbnailHeight, edge: configuration.thumbnailLongEdge),
            thumbnailWidth <= width, thumbnailHeight <= height,
            header.photo_bytes <= configuration.photoLongEdge * configuration.photoLongEdge * 4,
            header.thumbnail_bytes <= configuration.thumbnailLongEdge * configuration.thumbnailLongEdge * 4
                + 4096
        else { return nil }

        let photoOffset = MemoryLayout<photo_worker_answer>.size
        let thumbnailOffset = photoOffset + Int(header.photo_bytes)
        let placeholderOffset = thumbnailOffset + Int(header.thumbnail_bytes)
        guard let photo = file.read(Int(header.photo_bytes), at: photoOffset),
            StoredJPEG.isSound(photo, width: width, height: height),
            let thumbnail = file.read(Int(header.thumbnail_bytes), at: thumbnailOffset),
            StoredJPEG.isSound(thumbnail, width: thumbnailWidth, height: thumbnailHeight),
            let thumbHash = placeholder(from: file, at: placeholderOffset)
        else { return nil }
        return ProcessedImage(
            photo: photo, thumbnail: thumbnail, width: width, height: height, thumbHash: thumbHash)
    }

    private func placeholder(from file: borrowing MemoryFile, at offset: Int) -> [UInt8]? {
        let width = Int(header.placeholder_width)
        let height = Int(header.placeholder_height)
        guard Self.fits(width, height, edge: Int(PHOTO_PLACEHOLDER_EDGE)),
            let pixels = file.read(width * height * 4, at: offset)
        else { return nil }
        return ThumbHash.encode(width: width, height: height, rgba: Array(pixels.readableBytesView))
    }

    private static func fits(_ width: Int, _ height: Int, edge: Int) -> Bool {
        (1...edge).contains(width) && (1...edge).contains(height)
    }
}

extension photo_format {
    /// The label of a format's number; nil for an unknown one. The answer may be forged, and a C enumeration would accept
    /// any number.
    fileprivate static func label(of number: UInt32) -> String? {
        let formats: [(photo_format, String)] = [
            (.unknown, "unknown"), (.jpeg, "jpeg"), (.png, "png"), (.heif, "heif"), (.avif, "avif"),
            (.webp, "webp"),
        ]
        return formats.first { $0.0.rawValue == number }?.1
    }
}
