import CImageCodecs
import Glibc

/// A picture of four bytes per pixel. It owns its memory.
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

    func row(_ y: Int) -> UnsafeMutablePointer<UInt8> { pixels + y * size.width * 4 }

    /// This picture turned upright.
    consuming func turned(by orientation: Int) throws(WorkerFailure) -> Picture {
        if orientation == 1 { return self }
        let sideways = orientation > 4
        let result = try Picture(
            size: sideways ? PictureSize(width: size.height, height: size.width) : size)
        pixels_orient(pixels, UInt32(size.width), UInt32(size.height), Int32(orientation), result.pixels)
        return result
    }
}

/// A JPEG file in memory. It owns its memory.
package struct EncodedPicture: ~Copyable {
    package let size: PictureSize
    package let bytes: UnsafeMutablePointer<UInt8>
    package let count: Int

    deinit {
        free(bytes)
    }
}
