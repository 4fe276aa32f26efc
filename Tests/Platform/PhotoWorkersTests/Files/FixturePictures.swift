import CImageFixtures
import DaylyTesting
import Glibc
import Logging
import NIOCore

@testable import PhotoWorkers

/// Pixels for test files, and for comparison with stored photos.
struct TestPicture {
    let width: Int
    let height: Int
    var pixels: [UInt8]

    /// Four quarters of different colours, so that every orientation is recognisable.
    static let colours: [[UInt8]] = [[220, 30, 30], [30, 200, 40], [40, 50, 210], [230, 220, 60]]

    static func quarters(_ width: Int, _ height: Int, alpha: UInt8 = 255) -> TestPicture {
        let flat = colours.flatMap { $0 }
        return TestPicture(width, height) { fixture_quarters($0, Int32(width), Int32(height), flat, alpha) }
    }

    /// Details everywhere, like a photo's, the same in every run.
    static func textured(_ width: Int, _ height: Int) -> TestPicture {
        TestPicture(width, height) { fixture_texture($0, Int32(width), Int32(height)) }
    }

    /// Detail that falls off with its frequency as a photo's does, and edges.
    static func scene(_ width: Int, _ height: Int) -> TestPicture {
        TestPicture(width, height) { fixture_scene($0, Int32(width), Int32(height)) }
    }

    private init(_ width: Int, _ height: Int, filledBy fill: (UnsafeMutablePointer<UInt8>?) -> Void) {
        self.width = width
        self.height = height
        pixels = [UInt8](unsafeUninitializedCapacity: width * height * 4) { buffer, count in
            fill(buffer.baseAddress)
            count = width * height * 4
        }
    }

    /// For small pictures.
    init(_ width: Int, _ height: Int, pixel: (Int, Int) -> [UInt8]) {
        self.width = width
        self.height = height
        pixels = []
        pixels.reserveCapacity(width * height * 4)
        for y in 0..<height { for x in 0..<width { pixels += pixel(x, y) } }
    }

    /// Reads a JPEG.
    init(jpeg: ByteBuffer) {
        var width: Int32 = 0
        var height: Int32 = 0
        let decoded = jpeg.withUnsafeReadableBytes {
            fixture_decode_jpeg($0.baseAddress, $0.count, &width, &height)
        }
        defer { free(decoded) }
        self.width = Int(width)
        self.height = Int(height)
        pixels = Array(UnsafeBufferPointer(start: decoded, count: Int(width * height * 4)))
    }

    /// The mean colour of the middle of each quarter: upper left, upper right, lower left, lower right.
    var quarterColours: [[Int]] {
        [(1, 1), (3, 1), (1, 3), (3, 3)].map { colour(atX: width * $0 / 4, y: height * $1 / 4) }
    }

    func colour(atX x: Int, y: Int) -> [Int] {
        let start = (y * width + x) * 4
        return pixels[start..<start + 3].map(Int.init)
    }
}

/// The distance of two colours in the component that differs most.
func distance(_ one: [Int], _ other: [Int]) -> Int {
    zip(one, other).map { abs($0 - $1) }.max() ?? .max
}

extension fixture_file {
    /// The bytes. Frees the memory.
    consuming func take() -> [UInt8] {
        defer { free(bytes) }
        return Array(UnsafeBufferPointer(start: bytes, count: count))
    }
}

extension TestPicture {
    func jpeg(
        channels: Int32 = 3, quality: Int32 = 92, subsampling: Int32 = 2, progressive: Bool = false,
        arithmetic: Bool = false, restartRows: Int32 = 0, ycck: Bool = false, adobe: Bool = true,
        scans: Int32 = 0, rgb: Bool = false
    ) -> [UInt8] {
        fixture_jpeg(
            pixels, Int32(width), Int32(height),
            fixture_jpeg_options(
                channels: channels, quality: quality, subsampling: subsampling,
                progressive: progressive ? 1 : 0,
                arithmetic: arithmetic ? 1 : 0, restart_rows: restartRows, ycck: ycck ? 1 : 0,
                rgb: rgb ? 1 : 0,
                no_adobe: adobe ? 0 : 1, scans: scans)
        ).take()
    }

    /// RGBA with eight bits, or whatever `rows` hold.
    func png(
        rows: [UInt8]? = nil, depth: Int32 = 8, type: Int32 = 6, interlaced: Bool = false,
        palette: [UInt8] = [], paletteAlpha: [UInt8] = []
    ) -> [UInt8] {
        palette.withUnsafeBufferPointer { palette in
            paletteAlpha.withUnsafeBufferPointer { alpha in
                fixture_png(
                    rows ?? pixels, Int32(width), Int32(height),
                    fixture_png_options(
                        bit_depth: depth, colour_type: type, interlaced: interlaced ? 1 : 0,
                        palette: palette.isEmpty ? nil : palette.baseAddress,
                        palette_count: Int32(palette.count / 3),
                        palette_alpha: alpha.isEmpty ? nil : alpha.baseAddress,
                        palette_alpha_count: Int32(alpha.count))
                ).take()
            }
        }
    }

    func webp(lossless: Bool = false) -> [UInt8] {
        fixture_webp(pixels, Int32(width), Int32(height), lossless ? 1 : 0).take()
    }

    func heif(
        avif: Bool = false, alpha: Bool = false, orientation: Int32 = 1, exif: [UInt8] = [],
        profile: [UInt8] = [], primaries: Int32 = 0, transfer: Int32 = 0, premultiplied: Bool = false,
        xmp: [UInt8] = [], item: [UInt8] = [],
        thumbnail: Bool = false, pictures: Int32 = 1
    ) -> [UInt8] {
        func optional(_ buffer: UnsafeBufferPointer<UInt8>) -> UnsafePointer<UInt8>? {
            buffer.isEmpty ? nil : buffer.baseAddress
        }
        return exif.withUnsafeBufferPointer { exif in
            profile.withUnsafeBufferPointer { profile in
                xmp.withUnsafeBufferPointer { xmp in
                    item.withUnsafeBufferPointer { item in
                        fixture_heif(
                            pixels, Int32(width), Int32(height),
                            fixture_heif_options(
                                avif: avif ? 1 : 0, alpha: alpha ? 1 : 0, orientation: orientation,
                                exif: optional(exif), exif_count: Int32(exif.count),
                                profile: optional(profile), profile_count: profile.count,
                                primaries: primaries, transfer: transfer,
                                premultiplied: premultiplied ? 1 : 0,
                                xmp: optional(xmp), xmp_count: Int32(xmp.count),
                                item: optional(item), item_count: Int32(item.count),
                                thumbnail: thumbnail ? 1 : 0, pictures: pictures)
                        ).take()
                    }
                }
            }
        }
    }

    /// 10 bits per sample, as in phones' files.
    func deepHEIC() -> [UInt8] {
        fixture_heif_ycc(
            pixels, Int32(width), Int32(height),
            fixture_ycc_options(
                avif: 0, depth: 10, halved: 1, full_range: 1, primaries: 12, matrix: 6, grey: 0)
        ).take()
    }
}

/// The configuration of the real worker, with long time limits for a busy machine.
let testConfiguration: ImageProcessorConfiguration = {
    var configuration = ImageProcessorConfiguration(
        workerPath: ImageProcessorConfiguration.defaultWorkerPath())
    configuration.wallClock = .seconds(60)
    configuration.queueSize = 10_000
    return configuration
}()

let sharedProcessor = ImageProcessor(configuration: testConfiguration, logger: .silent)

func makeProcessor(_ change: (inout ImageProcessorConfiguration) -> Void = { _ in }) -> ImageProcessor {
    var configuration = testConfiguration
    change(&configuration)
    return ImageProcessor(configuration: configuration, logger: .silent)
}

/// The result of decoding some bytes: a picture or the error.
func outcome(
    of bytes: [UInt8], processor: ImageProcessor = sharedProcessor
) async -> Result<ProcessedImage, PhotoWorkerError> {
    do throws(PhotoWorkerError) {
        return .success(try await processor.process(.of(ByteBuffer(bytes: bytes))))
    } catch {
        return .failure(error)
    }
}

private let labelSlots = WorkerSlots(count: 2, queueSize: 10_000) { _ in }
private let labelThreads = WorkerThreads(count: 2)

/// The outcome of a worker's run on some bytes, as in the metrics.
func label(
    of bytes: [UInt8], _ change: (inout ImageProcessorConfiguration) -> Void = { _ in }
) async throws -> String {
    try await report(of: bytes, change).outcome.label
}

/// The report of a worker's run on some bytes.
func report(
    of bytes: [UInt8], _ change: (inout ImageProcessorConfiguration) -> Void = { _ in }
) async throws -> WorkerRun.Report {
    var configuration = testConfiguration
    change(&configuration)
    let run = WorkerRun(configuration: configuration)
    let picture = try SealedPicture.of(ByteBuffer(bytes: bytes))
    try await labelSlots.acquire()
    defer { labelSlots.release() }
    return await withCheckedContinuation { continuation in
        labelThreads.run {
            continuation.resume(returning: run.process(picture, killSwitch: KillSwitch()))
        }
    }
}

extension Result where Success == ProcessedImage, Failure == PhotoWorkerError {
    var error: PhotoWorkerError? {
        if case .failure(let error) = self { error } else { nil }
    }
}
