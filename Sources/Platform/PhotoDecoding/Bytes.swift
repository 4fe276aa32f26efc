/// The picture's bytes, or a part of them. Every access is checked: reading beyond the end gives nil.
package struct Bytes {
    private let buffer: UnsafeRawBufferPointer

    package init(_ buffer: UnsafeRawBufferPointer) {
        self.buffer = buffer
    }

    var count: Int { buffer.count }
    var start: UnsafePointer<UInt8>? { buffer.baseAddress?.assumingMemoryBound(to: UInt8.self) }

    var array: [UInt8] { Array(buffer) }

    subscript(index: Int) -> UInt8? {
        index >= 0 && index < buffer.count ? buffer[index] : nil
    }

    /// The part of `count` bytes from `offset` on; nil when it is not completely inside.
    func part(at offset: Int, count: Int) -> Bytes? {
        guard offset >= 0, count >= 0, offset <= buffer.count, count <= buffer.count - offset else {
            return nil
        }
        return Bytes(UnsafeRawBufferPointer(rebasing: buffer[offset..<offset + count]))
    }

    /// The place of the first byte in the bytes that these are a part of.
    func offset(in whole: Bytes) -> Int? {
        guard let start, let first = whole.start else { return nil }
        return start - first
    }

    func from(_ offset: Int) -> Bytes? {
        part(at: offset, count: buffer.count - offset)
    }

    func starts(with text: StaticString, at offset: Int = 0) -> Bool {
        guard let part = part(at: offset, count: text.utf8CodeUnitCount) else { return false }
        for index in 0..<part.count where part.buffer[index] != text.utf8Start[index] { return false }
        return true
    }

    func uint16(at offset: Int, littleEndian: Bool = false) -> Int? {
        guard let first = self[offset], let second = self[offset + 1] else { return nil }
        return littleEndian ? Int(second) << 8 | Int(first) : Int(first) << 8 | Int(second)
    }

    func uint32(at offset: Int, littleEndian: Bool = false) -> Int? {
        guard let first = uint16(at: offset, littleEndian: littleEndian),
            let second = uint16(at: offset + 2, littleEndian: littleEndian)
        else { return nil }
        return littleEndian ? second << 16 | first : first << 16 | second
    }
}
