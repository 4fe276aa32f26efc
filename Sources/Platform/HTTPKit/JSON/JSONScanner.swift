/// Checks a JSON text (RFC 8259) for faults that a decoder accepts: duplicate names, U+0000, lone surrogates, deep nesting
/// and bytes that are not UTF-8. It keeps only the path to its position.
package struct JSONScanner {
    /// A fault and its place as a JSON pointer (RFC 6901).
    package struct Fault: Error, Equatable {
        package var pointer: String
        package var detail: String
    }

    static let maxDepth = 32

    private let bytes: [UInt8]
    private var index = 0
    private var path: [String] = []

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// - Throws: the first fault.
    package static func validate(_ bytes: [UInt8]) throws(Fault) {
        guard String(validating: bytes, as: UTF8.self) != nil else {
            throw Fault(pointer: "", detail: "The body is not UTF-8.")
        }
        var scanner = JSONScanner(bytes)
        scanner.skipBlanks()
        try scanner.value(depth: 1)
        scanner.skipBlanks()
        guard scanner.index == bytes.count else {
            throw scanner.fault("The body goes on after the JSON value.")
        }
    }

    // MARK: Values

    private mutating func value(depth: Int) throws(Fault) {
        guard depth <= Self.maxDepth else {
            throw fault("The JSON is nested deeper than \(Self.maxDepth) levels.")
        }
        switch peek {
        case UInt8(ascii: "{"): try object(depth: depth)
        case UInt8(ascii: "["): try array(depth: depth)
        case UInt8(ascii: "\""): _ = try string()
        case UInt8(ascii: "-"): try number()
        case let byte? where Self.isDigit(byte): try number()
        case UInt8(ascii: "t"): try word("true")
        case UInt8(ascii: "f"): try word("false")
        case UInt8(ascii: "n"): try word("null")
        default: throw notJSON
        }
    }

    private mutating func object(depth: Int) throws(Fault) {
        index += 1
        skipBlanks()
        if take("}") { return }
        // Names are compared as bytes, because `String` treats different spellings of a text as equal.
        var names: Set<[UInt8]> = []
        repeat {
            skipBlanks()
            guard peek == UInt8(ascii: "\"") else { throw notJSON }
            let name = try string()
            path.append(String(decoding: name, as: UTF8.self))
            guard names.insert(name).inserted else { throw fault("This member appears twice.") }
            skipBlanks()
            guard take(":") else { throw notJSON }
            skipBlanks()
            try value(depth: depth + 1)
            path.removeLast()
            skipBlanks()
        } while take(",")
        guard take("}") else { throw notJSON }
    }

    private mutating func array(depth: Int) throws(Fault) {
        index += 1
        skipBlanks()
        if take("]") { return }
        var position = 0
        repeat {
            skipBlanks()
            path.append(String(position))
            try value(depth: depth + 1)
            path.removeLast()
            position += 1
            skipBlanks()
        } while take(",")
        guard take("]") else { throw notJSON }
    }

    private mutating func word(_ word: StaticString) throws(Fault) {
        let end = index + word.utf8CodeUnitCount
        let matches = word.withUTF8Buffer { end <= bytes.count && bytes[index..<end].elementsEqual($0) }
        guard matches else { throw notJSON }
        index = end
    }

    private mutating func number() throws(Fault) {
        _ = take("-")
        if !take("0") { try digits() }
        if take(".") { try digits() }
        if take("e") || take("E") {
            if !take("+") { _ = take("-") }
            try digits()
        }
    }

    private mutating func digits() throws(Fault) {
        let start = index
        while let byte = peek, Self.isDigit(byte) { index += 1 }
        guard index > start else { throw notJSON }
    }

    // MARK: Strings

    /// The text with its escapes resolved.
    private mutating func string() throws(Fault) -> [UInt8] {
        index += 1
        var text: [UInt8] = []
        while let byte = peek {
            index += 1
            switch byte {
            case UInt8(ascii: "\""): return text
            case UInt8(ascii: "\\"): try escape(into: &text)
            case 0: throw fault("The text contains a NUL.")
            case ..<0x20: throw notJSON
            default: text.append(byte)
            }
        }
        throw notJSON
    }

    private mutating func escape(into text: inout [UInt8]) throws(Fault) {
        guard let byte = peek else { throw notJSON }
        index += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0c)
        case UInt8(ascii: "n"): text.append(0x0a)
        case UInt8(ascii: "r"): text.append(0x0d)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"): text.append(contentsOf: String(try escapedScalar()).utf8)
        default: throw notJSON
        }
    }

    private mutating func escapedScalar() throws(Fault) -> Unicode.Scalar {
        var value = UInt32(try codeUnit())
        if UTF16.isLeadSurrogate(UInt16(value)), take("\\"), take("u") {
            let low = try codeUnit()
            guard UTF16.isTrailSurrogate(low) else { throw loneSurrogate }
            value = 0x10000 + (value - 0xd800) << 10 + (UInt32(low) - 0xdc00)
        }
        guard value != 0 else { throw fault("The text contains a NUL.") }
        guard let scalar = Unicode.Scalar(value) else { throw loneSurrogate }
        return scalar
    }

    private mutating func codeUnit() throws(Fault) -> UInt16 {
        guard index + 4 <= bytes.count else { throw notJSON }
        var value: UInt16 = 0
        for byte in bytes[index..<index + 4] {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80 else {
                throw notJSON
            }
            value = value << 4 | UInt16(digit)
        }
        index += 4
        return value
    }

    // MARK: Bytes

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    private var peek: UInt8? { index < bytes.count ? bytes[index] : nil }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard peek == UInt8(ascii: character) else { return false }
        index += 1
        return true
    }

    private mutating func skipBlanks() {
        while let byte = peek, byte == 0x20 || byte == 0x09 || byte == 0x0a || byte == 0x0d { index += 1 }
    }

    // MARK: Faults

    private func fault(_ detail: String) -> Fault {
        Fault(pointer: JSONPointer.text(path), detail: detail)
    }

    private var notJSON: Fault { fault("This is not JSON (at byte \(index)).") }
    private var loneSurrogate: Fault { fault("The text contains half a surrogate pair.") }
}

/// RFC 6901.
enum JSONPointer {
    static func text(_ path: [String]) -> String {
        path.map {
            "/" + $0.replacing("~", with: "~0").replacing("/", with: "~1")
        }.joined()
    }
}
