/// Writes whole numbers as few bytes: seven bits in each, the lowest first, and a set upper bit if more follow (LEB128).
struct BytePacker {
    private(set) var bytes: [UInt8] = []

    mutating func write(byte: UInt8) { bytes.append(byte) }

    mutating func write(_ number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    /// A number that may be negative: small distances from zero take few bytes.
    mutating func write(signed number: Int) {
        write(UInt64(bitPattern: Int64(number << 1 ^ number >> (Int.bitWidth - 1))))
    }

    /// The lowest bytes of a number, the lowest first.
    mutating func write(_ number: Int, bytes count: Int) {
        for index in 0..<count { bytes.append(UInt8(truncatingIfNeeded: number >> (8 * index))) }
    }
}

/// Reads what ``BytePacker`` has written. Each function returns nil if the bytes end too early or are not of this form.
struct ByteReader {
    private let bytes: ArraySlice<UInt8>
    private var position: Int

    init(_ bytes: some Sequence<UInt8>) {
        self.bytes = ArraySlice(bytes)
        position = self.bytes.startIndex
    }

    var isAtEnd: Bool { position == bytes.endIndex }

    mutating func byte() -> UInt8? {
        guard position < bytes.endIndex else { return nil }
        defer { position += 1 }
        return bytes[position]
    }

    mutating func unsigned() -> UInt64? {
        var number: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 64, by: 7) {
            guard let byte = byte() else { return nil }
            number |= UInt64(byte & 0x7f) << shift
            if byte < 0x80 { return number }
        }
        return nil
    }

    mutating func signed() -> Int? {
        guard let number = unsigned() else { return nil }
        return Int(truncatingIfNeeded: Int64(bitPattern: number >> 1) ^ -Int64(number & 1))
    }

    /// A count that is at most the number of bytes left, since each thing that is counted takes a byte or more.
    mutating func count() -> Int? {
        guard let number = unsigned(), number <= UInt64(bytes.endIndex - position) else { return nil }
        return Int(number)
    }

    mutating func number(bytes count: Int) -> Int? {
        var number = 0
        for index in 0..<count {
            guard let byte = byte() else { return nil }
            number |= Int(byte) << (8 * index)
        }
        return number
    }
}
