import CImageCodecs
import Glibc

/// A codec that reads one file.
struct PictureReader: ~Copyable {
    private let state: OpaquePointer

    /// Reads the header. `bytes` must outlive the reader.
    ///
    /// - Parameters:
    ///   - jpeg: the structure of a JPEG.
    ///   - heif: the structure of a HEIF or AVIF.
    ///   - threads: the number of threads that may decode a HEIF's tiles; more than two are not used.
    init(
        _ format: ImageFormat, _ bytes: Bytes, jpeg: JPEGStructure?, heif: HEIFStructure?, threads: Int
    ) throws(WorkerFailure) {
        var reader: OpaquePointer?
        let status =
            switch format {
            case .jpeg:
                picture_open_jpeg(
                    bytes.start, jpeg?.count ?? bytes.count, jpeg?.hasEndMarker ?? true ? 1 : 0, &reader)
            case .png: picture_open_png(bytes.start, bytes.count, &reader)
            case .heif, .avif:
                Self.openHEIF(bytes, heif, mayHaveHelp: threads > 1, &reader)
            case .webp: picture_open_webp(bytes.start, bytes.count, &reader)
            }
        try status.check()
        guard let reader else { throw .unreadable }
        state = reader
    }

    private static func openHEIF(
        _ bytes: Bytes, _ structure: HEIFStructure?, mayHaveHelp: Bool, _ reader: inout OpaquePointer?
    ) -> codec_status {
        structure?.withCodecContents {
            picture_open_heif(bytes.start, bytes.count, $0, mayHaveHelp ? 1 : 0, &reader)
        } ?? .unreadable
    }

    deinit {
        picture_reader_close(state)
    }

    private var info: picture_info { picture_reader_info(state).pointee }

    var size: PictureSize { PictureSize(width: Int(info.width), height: Int(info.height)) }

    /// The Exif block that the codec found (PNG, WebP).
    var exif: Bytes? {
        info.exif.map { Bytes(UnsafeRawBufferPointer(start: $0, count: info.exif_size)) }
    }

    /// The orientation that the container states and the rows do not have yet.
    var orientation: Int? { info.orientation == 0 ? nil : Int(info.orientation) }

    /// The size at which the picture is decoded, and the size to which it is then reduced.
    struct Plan {
        /// The size of the picture that the rows make up.
        let size: PictureSize
        fileprivate let decoded: PictureSize
    }

    /// Begins to decode at the smallest size that suffices for a picture with this long edge.
    borrowing func start(format: ImageFormat, longEdge edge: Int) throws(WorkerFailure) -> Plan {
        let eighths = format == .jpeg ? size.jpegEighths(for: edge) : 8
        var width: UInt32 = 0
        var height: UInt32 = 0
        try picture_reader_start(state, Int32(eighths), &width, &height).check()
        let decoded = PictureSize(width: Int(width), height: Int(height))
        let target = decoded.longEdge <= edge ? decoded : size.fitted(to: edge)
        return Plan(size: target, decoded: decoded)
    }

    /// Calls `body` with the rows from top to bottom: four bytes per pixel in sRGB, not yet upright. A row is valid until
    /// the next one.
    borrowing func forEachRow(
        of plan: Plan, _ body: (UnsafeMutablePointer<UInt8>) throws(WorkerFailure) -> Void
    ) throws(WorkerFailure) {
        let converter = try ColourConverter(for: picture_reader_info(state))
        let source = try SourceRow(width: plan.decoded.width, sampleBytes: Int(info.sample_bytes))
        if plan.size == plan.decoded {
            for _ in 0..<plan.size.height {
                try picture_reader_row(state, source.samples).check()
                converter.convert(source.samples, to: source.pixels, width: plan.size.width)
                try body(source.pixels)
            }
        } else {
            try resample(plan, source, converter, body)
        }
        try picture_reader_finish(state).check()
    }

    private borrowing func resample(
        _ plan: Plan, _ source: borrowing SourceRow, _ converter: borrowing ColourConverter,
        _ body: (UnsafeMutablePointer<UInt8>) throws(WorkerFailure) -> Void
    ) throws(WorkerFailure) {
        let resampler = try Resampler(from: plan.decoded, to: plan.size)
        for _ in 0..<plan.decoded.height {
            if converter.isFirst {
                try picture_reader_row(state, source.samples).check()
                converter.convert(source.samples, to: resampler.row, width: plan.decoded.width)
            } else {
                try picture_reader_row(state, resampler.row).check()
            }
            resampler.advance()
            while let row = resampler.next() {
                if !converter.isFirst { converter.convert(row, to: row, width: plan.size.width) }
                try body(row)
            }
        }
    }
}

/// A buffer for a row of samples from the codec, and one for its pixels. Both are the same buffer when samples are bytes.
private struct SourceRow: ~Copyable {
    let samples: UnsafeMutablePointer<UInt8>
    let pixels: UnsafeMutablePointer<UInt8>

    init(width: Int, sampleBytes: Int) throws(WorkerFailure) {
        let pixelBytes = sampleBytes > 1 ? width * 4 : 0
        guard let memory = malloc(width * 4 * sampleBytes + pixelBytes) else { throw .outOfMemory }
        samples = memory.assumingMemoryBound(to: UInt8.self)
        pixels = sampleBytes > 1 ? samples + width * 4 * sampleBytes : samples
    }

    deinit {
        free(samples)
    }
}
