import CImageCodecs
import CProcess
import Glibc
import PhotoDecoding

// Decodes a stranger's bytes as photo-worker does, for libFuzzer: any input must end in a sound answer or in a refusal. Built and run by scripts/fuzz.

/// Small outputs and inputs of at most a megapixel: more inputs per second, the same code.
private enum Bounds {
    static let maxPixels = 1 << 20
    static let maxSide = 4096
    static let maxScans = 20
    static let photoEdge = 200
    static let thumbnailEdge = 48
    static let placeholderEdge = Int(PHOTO_PLACEHOLDER_EDGE)

    static var arguments: [String] {
        [maxPixels, maxSide, maxScans, photoEdge, thumbnailEdge, 80].map(String.init)
    }
}

/// Once per process, as the worker does before it reads.
private let pipeline: PhotoPipeline = {
    picture_prepare_heif()
    guard let limits = WorkerLimits(arguments: Bounds.arguments) else { fatalError("the bounds are wrong") }
    return PhotoPipeline(limits: limits, threads: 2)
}()

/// It found each of these when it was taken out: `Bytes.part`'s end, the pixel limit, PNG's end of input, the last rows in
/// `pixels_orient`, a row of the resampler's ring, the release of libpng's state; and a comment in the stored JPEG.
///
/// Guard: a deep HEIF without alpha is opaque (CImageCodecs `heif.c` `next_row`)
/// Guard: every rule on damaged pictures holds for any input (`PhotoDecoding`, `CImageCodecs`)
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard count > 0, let data else { return 0 }
    fence.hold(UnsafeRawBufferPointer(start: data, count: count)) { run($0, isInput: true) }
    return 0
}

// libFuzzer runs one input at a time, on one thread.
nonisolated(unsafe) private let fence = Fence(capacity: 1 << 20)

/// Memory that ends before a page nobody may touch: who reads beyond the input dies of it, Debian's codecs too, which
/// AddressSanitizer does not see.
private struct Fence {
    private let end: UnsafeMutableRawPointer
    private let capacity: Int

    init(capacity: Int) {
        let page = Int(sysconf(Int32(_SC_PAGESIZE)))
        let flags = MAP_PRIVATE | MAP_ANONYMOUS
        guard let start = mmap(nil, capacity + page, PROT_READ | PROT_WRITE, flags, -1, 0),
            start != MAP_FAILED, mprotect(start + capacity, page, PROT_NONE) == 0
        else { fatalError("no memory for the input") }
        end = start + capacity
        self.capacity = capacity
    }

    func hold(_ bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void) {
        precondition(bytes.count <= capacity, "a longer input than -max_len allows")
        let copy = UnsafeMutableRawBufferPointer(start: end - bytes.count, count: bytes.count)
        copy.copyMemory(from: bytes)
        body(UnsafeRawBufferPointer(copy))
    }
}

/// Whether to say what becomes of each input, as `scripts/fuzz --replay` wants it.
private let tells = getenv("PHOTO_FUZZ_TELLS") != nil

/// Trapping is how a finding is reported.
private func run(_ bytes: UnsafeRawBufferPointer, isInput: Bool) {
    var announced: PictureSize?
    do throws(WorkerFailure) {
        let result = try pipeline.run(Bytes(bytes)) { announced = $1 ?? announced }
        guard let source = announced else { fatalError("a photo of a picture that was never announced") }
        precondition(source.width * source.height <= Bounds.maxPixels, "a picture over the limit was decoded")
        check(result.photo, edge: Bounds.photoEdge)
        check(result.thumbnail, edge: Bounds.thumbnailEdge)
        check(result.placeholder)
        if tells && isInput { print("  photo of \(result.photo.size.width) × \(result.photo.size.height)") }
        // A strict reader, our own, must be able to read the whole stored picture.
        if isInput {
            run(UnsafeRawBufferPointer(start: result.photo.bytes, count: result.photo.count), isInput: false)
            run(
                UnsafeRawBufferPointer(start: result.thumbnail.bytes, count: result.thumbnail.count),
                isInput: false)
        }
    } catch {
        precondition(error != .notSetUp, "an input cannot undo the set-up")
        if tells { print("  refused: \(error)") }
        precondition(isInput, "what was encoded cannot be read: \(error)")
    }
}

private func check(_ picture: borrowing EncodedPicture, edge: Int) {
    check(picture.size, edge: edge)
    let frame = StoredFrame(UnsafeBufferPointer(start: picture.bytes, count: picture.count))
    precondition(frame.width == picture.size.width && frame.height == picture.size.height, "another size")
}

private func check(_ placeholder: borrowing Picture) {
    check(placeholder.size, edge: Bounds.placeholderEdge)
    precondition(placeholder.byteCount == placeholder.size.width * placeholder.size.height * 4)
    for pixel in 0..<placeholder.byteCount / 4 {
        precondition(placeholder.pixels[pixel * 4 + 3] == 255, "a photo is opaque")
    }
}

private func check(_ size: PictureSize, edge: Int) {
    precondition(
        (1...edge).contains(size.width) && (1...edge).contains(size.height), "\(size) is over \(edge)")
}

/// A JPEG as it may be stored: SOI, JFIF header, tables, one baseline frame, one scan, EOI, and nothing after it.
private struct StoredFrame {
    private(set) var width = 0
    private(set) var height = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        precondition(bytes.count > 4 && bytes[0] == 0xFF && bytes[1] == 0xD8, "no start of image")
        var position = 2
        var marker: UInt8 = 0
        while marker != 0xDA {
            precondition(bytes[position] == 0xFF, "no marker where one must be")
            marker = bytes[position + 1]
            precondition([0xE0, 0xDB, 0xC0, 0xC4, 0xDA].contains(marker), "marker \(marker) is not ours")
            if marker == 0xC0 {
                height = Int(bytes[position + 5]) << 8 | Int(bytes[position + 6])
                width = Int(bytes[position + 7]) << 8 | Int(bytes[position + 8])
            }
            position += 2 + Int(bytes[position + 2]) << 8 + Int(bytes[position + 3])
        }
        while bytes[position] != 0xFF || bytes[position + 1] == 0 { position += 1 }
        precondition(
            bytes[position + 1] == 0xD9 && position + 2 == bytes.count, "no end of image where it must be")
    }
}
