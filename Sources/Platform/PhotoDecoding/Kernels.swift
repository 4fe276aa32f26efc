import CImageCodecs

/// Reduces a picture row by row.
struct Resampler: ~Copyable {
    private let state: OpaquePointer

    init(from size: PictureSize, to target: PictureSize) throws(WorkerFailure) {
        guard
            let state = resampler_create(
                UInt32(size.width), UInt32(size.height), UInt32(target.width), UInt32(target.height))
        else { throw .outOfMemory }
        self.state = state
    }

    deinit {
        resampler_destroy(state)
    }

    /// The buffer for the next source row.
    var row: UnsafeMutablePointer<UInt8> { resampler_row(state) }

    func advance() {
        resampler_advance(state)
    }

    /// The next finished row, valid until the next call; nil when it needs more source rows.
    func next() -> UnsafeMutablePointer<UInt8>? {
        resampler_next(state)
    }
}

/// Converts rows to sRGB.
struct ColourConverter: ~Copyable {
    private let state: OpaquePointer

    /// Whether the conversion must come before resampling.
    let isFirst: Bool

    /// `info` must outlive the converter.
    init(for info: UnsafePointer<picture_info>?) throws(WorkerFailure) {
        guard let state = colour_converter_create(info) else { throw .outOfMemory }
        self.state = state
        isFirst = colour_converter_is_first(state) != 0
    }

    deinit {
        colour_converter_destroy(state)
    }

    func convert(
        _ samples: UnsafeMutablePointer<UInt8>, to pixels: UnsafeMutablePointer<UInt8>, width: Int
    ) {
        colour_converter_row(state, samples, pixels, UInt32(width))
    }
}

/// Writes a JPEG row by row.
struct JPEGWriter: ~Copyable {
    private let state: OpaquePointer
    let size: PictureSize

    init(size: PictureSize, quality: Int) throws(WorkerFailure) {
        var writer: OpaquePointer?
        try jpeg_writer_create(UInt32(size.width), UInt32(size.height), Int32(quality), &writer).check()
        guard let writer else { throw .outOfMemory }
        state = writer
        self.size = size
    }

    deinit {
        jpeg_writer_destroy(state)
    }

    func write(_ row: UnsafePointer<UInt8>) throws(WorkerFailure) {
        try jpeg_writer_row(state, row).check()
    }

    /// Ends the file after the last row.
    func finish() throws(WorkerFailure) -> EncodedPicture {
        var jpeg: UnsafeMutablePointer<UInt8>?
        var count = 0
        try jpeg_writer_finish(state, &jpeg, &count).check()
        guard let jpeg else { throw .outOfMemory }
        return EncodedPicture(size: size, bytes: jpeg, count: count)
    }
}
