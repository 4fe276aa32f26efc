import CProcess
import Glibc
import PhotoDecoding

/// The answer that the server reads back, in the file that it gave.
struct Answer {
    private static let output: Int32 = 1

    /// Writes the format and size of the file, so that the server can count failures by format too.
    static func announce(_ format: photo_format, _ size: PictureSize?) {
        var answer = photo_worker_answer()
        answer.magic = PHOTO_WORKER_MAGIC
        answer.format = format.rawValue
        answer.source_width = UInt32(size?.width ?? 0)
        answer.source_height = UInt32(size?.height ?? 0)
        _ = write(answer, bytes: MemoryLayout<photo_worker_answer>.offset(of: \.photo_bytes) ?? 0)
    }

    /// Writes the parts, then the rest of the header.
    static func give(_ result: borrowing PhotoPipeline.Result) -> Bool {
        var answer = photo_worker_answer()
        answer.photo_bytes = UInt32(result.photo.count)
        answer.photo_width = UInt32(result.photo.size.width)
        answer.photo_height = UInt32(result.photo.size.height)
        answer.thumbnail_bytes = UInt32(result.thumbnail.count)
        answer.thumbnail_width = UInt32(result.thumbnail.size.width)
        answer.thumbnail_height = UInt32(result.thumbnail.size.height)
        answer.placeholder_width = UInt32(result.placeholder.size.width)
        answer.placeholder_height = UInt32(result.placeholder.size.height)

        var offset = MemoryLayout<photo_worker_answer>.size
        let parts = [
            UnsafeRawBufferPointer(start: result.photo.bytes, count: result.photo.count),
            UnsafeRawBufferPointer(start: result.thumbnail.bytes, count: result.thumbnail.count),
            UnsafeRawBufferPointer(start: result.placeholder.pixels, count: result.placeholder.byteCount),
        ]
        for part in parts {
            guard writeAll(part, at: offset) else { return false }
            offset += part.count
        }
        let known = MemoryLayout<photo_worker_answer>.offset(of: \.photo_bytes) ?? 0
        return withUnsafeBytes(of: answer) {
            writeAll(UnsafeRawBufferPointer(rebasing: $0[known...]), at: known)
        }
    }

    private static func write(_ answer: photo_worker_answer, bytes: Int) -> Bool {
        withUnsafeBytes(of: answer) { writeAll(UnsafeRawBufferPointer(rebasing: $0[..<bytes]), at: 0) }
    }

    private static func writeAll(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> Bool {
        var done = 0
        while done < bytes.count {
            let written = pwrite(
                output, bytes.baseAddress.map { $0 + done }, bytes.count - done, off_t(offset + done))
            guard written > 0 else { return false }
            done += written
        }
        return true
    }
}
