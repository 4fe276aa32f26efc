import CImageCodecs
import Glibc

/// Pixels of four bytes in memory of its own, freed with it.
package struct Picture: ~Copyable {
    package let size: PictureSize
    package let pixels: UnsafeMutablePointer<UInt8>

    package var byteCount: Int { size.width * size.height * 4 }

    init(size: PictureSize) throws(WorkerFailure) {
        guard let memory = malloc(size.width * size.height * 4) else { throw .outOfMemory }
        self.size = size
        pixels = memory.assumingMemoryBound(to: UInt8.self)
    }

    deinit {
        free(pixels)
    }

    /// This picture at a smaller size.
    borrowing func reduced(to target: PictureSize) throws(WorkerFailure) -> Picture {
        let result = try Picture(size: target)
        if target == size {
            result.pixels.update(from: pixels, count: byteCount)
            return result
        }
        let resampler = try Resampler(from: size, into: result)
        let stride = size.width * 4
        for y in 0..<size.height {
            resampler.row.update(from: pixels + y * stride, count: stride)
            resampler.advance()
        }
        return result
    }

    /// This picture upright.
    consuming func turned(by orientation: Int) throws(WorkerFailure) -> Picture {
        if orientation == 1 { return self }
        let sideways = orientation > 4
        let result = try Picture(
            size: sideways ? PictureSize(width: size.height, height: size.width) : size)
        pixels_orient(pixels, UInt32(size.width), UInt32(size.height), Int32(orientation), result.pixels)
        return result
    }

    borrowing func encoded(quality: Int) throws(WorkerFailure) -> EncodedPicture {
        var jpeg: UnsafeMutablePointer<UInt8>?
        var count = 0
        try jpeg_encode(pixels, UInt32(size.width), UInt32(size.height), Int32(quality), &jpeg, &count)
            .check()
        guard let jpeg else { throw .outOfMemory }
        return EncodedPicture(size: size, bytes: jpeg, count: count)
    }
}

/// A JPEG file in memory of its own, freed with it.
package struct EncodedPicture: ~Copyable {
    package let size: PictureSize
    package let bytes: UnsafeMutablePointer<UInt8>
    package let count: Int

    deinit {
        free(bytes)
    }
}

/// Reduces a picture that comes row by row.
struct Resampler: ~Copyable {
    private let state: OpaquePointer

    init(from size: PictureSize, into picture: borrowing Picture) throws(WorkerFailure) {
        let target = picture.size
        guard
            let state = resampler_create(
                UInt32(size.width), UInt32(size.height), UInt32(target.width), UInt32(target.height),
                picture.pixels)
        else { throw .outOfMemory }
        self.state = state
    }

    deinit {
        resampler_destroy(state)
    }

    /// Where the next row is to be written.
    var row: UnsafeMutablePointer<UInt8> { resampler_row(state) }

    func advance() {
        resampler_advance(state)
    }
}
