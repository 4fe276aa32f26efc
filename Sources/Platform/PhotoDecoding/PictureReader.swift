import CImageCodecs

/// A codec at work on one file.
struct PictureReader: ~Copyable {
    private let state: OpaquePointer
    let info: picture_info

    /// Reads the header. `bytes` must outlive the reader.
    init(_ format: ImageFormat, _ bytes: Bytes) throws(WorkerFailure) {
        var reader: OpaquePointer?
        let status =
            switch format {
            case .jpeg: picture_open_jpeg(bytes.start, bytes.count, &reader)
            case .png: picture_open_png(bytes.start, bytes.count, &reader)
            case .heif, .avif: picture_open_heif(bytes.start, bytes.count, &reader)
            case .webp: picture_open_webp(bytes.start, bytes.count, &reader)
            }
        try status.check()
        guard let reader else { throw .unreadable }
        state = reader
        info = picture_reader_info(reader).pointee
    }

    deinit {
        picture_reader_close(state)
    }

    var size: PictureSize { PictureSize(width: Int(info.width), height: Int(info.height)) }

    /// The Exif block that the codec found (PNG, WebP).
    var exif: Bytes? {
        info.exif.map { Bytes(UnsafeRawBufferPointer(start: $0, count: info.exif_size)) }
    }

    /// The whole picture at its own size or, when larger, reduced to `edge`; sRGB, not yet upright.
    borrowing func picture(format: ImageFormat, longEdge edge: Int) throws(WorkerFailure) -> Picture {
        let eighths = format == .jpeg ? size.jpegEighths(for: edge) : 8
        var width: UInt32 = 0
        var height: UInt32 = 0
        try picture_reader_start(state, Int32(eighths), &width, &height).check()
        let decoded = PictureSize(width: Int(width), height: Int(height))

        let picture =
            decoded.longEdge <= edge
            ? try whole(decoded) : try reduced(from: decoded, to: size.fitted(to: edge))
        try picture_reader_finish(state).check()
        withUnsafePointer(to: info) { pixels_to_srgb(picture.pixels, picture.byteCount / 4, $0) }
        return picture
    }

    private borrowing func whole(_ size: PictureSize) throws(WorkerFailure) -> Picture {
        let picture = try Picture(size: size)
        for y in 0..<size.height {
            try picture_reader_row(state, picture.pixels + y * size.width * 4).check()
        }
        return picture
    }

    private borrowing func reduced(
        from decoded: PictureSize, to target: PictureSize
    ) throws(WorkerFailure) -> Picture {
        let picture = try Picture(size: target)
        let resampler = try Resampler(from: decoded, into: picture)
        for _ in 0..<decoded.height {
            try picture_reader_row(state, resampler.row).check()
            resampler.advance()
        }
        return picture
    }
}
