import CProcess
import Glibc
import NIOCore

/// A failed system call.
struct SystemFailure: Error, CustomStringConvertible {
    let code: Int32
    let doing: String

    var description: String { "cannot \(doing): \(String(cString: strerror(code)))" }

    /// Throws for a negative result, which is `-errno`.
    @discardableResult
    static func check(_ result: Int32, _ doing: @autoclosure () -> String) throws(SystemFailure) -> Int32 {
        guard result >= 0 else { throw SystemFailure(code: -result, doing: doing()) }
        return result
    }
}

/// An anonymous file in memory. It is closed with its owner.
struct MemoryFile: ~Copyable {
    let descriptor: Int32

    /// An empty file.
    init(named name: String) throws(SystemFailure) {
        descriptor = try SystemFailure.check(process_memory_file(name), "make a memory file")
    }

    borrowing func append(_ bytes: ByteBuffer) throws(SystemFailure) {
        let result = bytes.withUnsafeReadableBytes { process_append(descriptor, $0.baseAddress, $0.count) }
        try SystemFailure.check(result, "fill a memory file")
    }

    /// Lets no process change the file any more.
    borrowing func seal() throws(SystemFailure) {
        try SystemFailure.check(process_seal(descriptor), "seal a memory file")
    }

    /// A file of zeroes that can be written but neither grow nor shrink.
    static func fixed(size: Int, named name: String) throws(SystemFailure) -> MemoryFile {
        let file = try MemoryFile(named: name)
        try SystemFailure.check(process_fix_size(file.descriptor, size), "size a memory file")
        return file
    }

    deinit {
        process_close(descriptor)
    }

    /// A copy of exactly `count` bytes from `offset` on; nil when the file is shorter.
    borrowing func read(_ count: Int, at offset: Int) -> ByteBuffer? {
        var buffer = ByteBufferAllocator().buffer(capacity: count)
        var result: Int32 = 0
        buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: count) {
            result = process_read_exactly(descriptor, $0.baseAddress, count, UInt64(offset))
            return result == 0 ? count : 0
        }
        return result == 0 ? buffer : nil
    }
}
