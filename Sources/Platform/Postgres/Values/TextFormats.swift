import CivilTime
import Foundation

/// `bytea` in its hex form.
enum Bytea {
    static func text(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(unsafeUninitializedCapacity: 2 + bytes.count * 2) { buffer in
            buffer[0] = UInt8(ascii: "\\")
            buffer[1] = UInt8(ascii: "x")
            for (index, byte) in bytes.enumerated() {
                buffer[2 + index * 2] = digits[Int(byte >> 4)]
                buffer[3 + index * 2] = digits[Int(byte & 15)]
            }
            return 2 + bytes.count * 2
        }
    }

    static func bytes(_ text: String) -> [UInt8]? {
        let digits = Array(text.utf8)
        guard digits.starts(with: "\\x".utf8), digits.count % 2 == 0 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 2 - 1)
        for index in stride(from: 2, to: digits.count, by: 2) {
            guard let high = nibble(digits[index]), let low = nibble(digits[index + 1]) else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    /// The value of a hexadecimal digit.
    static func nibble(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

/// One-dimensional arrays: `{a,"b c",NULL}` (PostgreSQL, "Array Input and Output Syntax").
enum ArrayText {
    static func encode(_ elements: [String?]) -> String {
        let (quote, backslash) = (UInt8(ascii: "\""), UInt8(ascii: "\\"))
        var text = [UInt8(ascii: "{")]
        text.reserveCapacity(elements.reduce(2) { $0 + ($1?.utf8.count ?? 4) + 3 })
        for (index, element) in elements.enumerated() {
            if index > 0 { text.append(UInt8(ascii: ",")) }
            guard let element else {
                text += "NULL".utf8
                continue
            }
            text.append(quote)
            for byte in element.utf8 {
                if byte == quote || byte == backslash { text.append(backslash) }
                text.append(byte)
            }
            text.append(quote)
        }
        text.append(UInt8(ascii: "}"))
        return String(decoding: text, as: UTF8.self)
    }

    /// - Returns: nil when the text is not an array, or one of several dimensions.
    static func decode(_ text: String) -> [String?]? {
        var bytes = Array(text.utf8)[...]
        if bytes.first == UInt8(ascii: "[") {  // bounds, "[0:1]={a,b}"
            guard let equals = bytes.firstIndex(of: UInt8(ascii: "=")) else { return nil }
            bytes = bytes[(equals + 1)...]
        }
        guard bytes.popFirst() == UInt8(ascii: "{"), bytes.popLast() == UInt8(ascii: "}") else { return nil }
        var elements: [String?] = []
        while !bytes.isEmpty {
            guard let element = popElement(&bytes) else { return nil }
            elements.append(element)
            if let comma = bytes.popFirst(), comma != UInt8(ascii: ",") || bytes.isEmpty { return nil }
        }
        return elements
    }

    private static func popElement(_ bytes: inout ArraySlice<UInt8>) -> String?? {
        var element: [UInt8] = []
        if bytes.first == UInt8(ascii: "\"") {
            bytes.removeFirst()
            while let byte = bytes.popFirst() {
                switch byte {
                case UInt8(ascii: "\""): return .some(String(decoding: element, as: UTF8.self))
                case UInt8(ascii: "\\"): if let next = bytes.popFirst() { element.append(next) }
                default: element.append(byte)
                }
            }
            return nil
        }
        while let byte = bytes.first, byte != UInt8(ascii: ",") {
            if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "\"") { return nil }
            bytes.removeFirst()
            element.append(byte)
        }
        if element.isEmpty { return nil }
        return .some(element.elementsEqual("NULL".utf8) ? nil : String(decoding: element, as: UTF8.self))
    }
}

/// `timestamptz` as ISO text. Both directions count in microseconds, so that no precision is lost.
enum Timestamp {
    private static let microsecondsPerDay = 86_400_000_000
    /// Days from 1970-01-01 to Foundation's reference date, 2001-01-01.
    private static let referenceDay = 11_323

    static func text(_ date: Date) -> String? {
        let micros = (date.timeIntervalSinceReferenceDate * 1_000_000).rounded()
        guard micros.isFinite, abs(micros) < 1e18 else { return nil }
        let total = Int(micros) + referenceDay * microsecondsPerDay
        let day = Int((Double(total) / Double(microsecondsPerDay)).rounded(.down))
        return text(microseconds: total, nearDay: day)
    }

    private static func text(microseconds total: Int, nearDay: Int) -> String? {
        var day = nearDay
        if total < day * microsecondsPerDay { day -= 1 }
        if total >= (day + 1) * microsecondsPerDay { day += 1 }
        let civil = CivilDate(daysSince1970: day)
        guard (1...9999).contains(civil.year) else { return nil }
        let rest = total - day * microsecondsPerDay
        let (seconds, micros) = (rest / 1_000_000, rest % 1_000_000)
        let time = [seconds / 3600, seconds / 60 % 60, seconds % 60].map { Digits.pad($0, 2) }
        return "\(civil) \(time.joined(separator: ":")).\(Digits.pad(micros, 6))+00"
    }

    /// `2026-01-31 12:34:56.123456+00`, also with other offsets; nil for `infinity` and years BC.
    static func date(_ text: String) -> Date? {
        var scan = Digits(text)
        guard let year = scan.number(), scan.skip("-"), let month = scan.number(2), scan.skip("-"),
            let day = scan.number(2), scan.skip(" "), let hour = scan.number(2), scan.skip(":"),
            let minute = scan.number(2), scan.skip(":"), let second = scan.number(2)
        else { return nil }
        guard let micros = scan.skip(".") ? scan.fraction(6) : 0, let offset = scan.offset() else {
            return nil
        }
        let days = CivilDate(year: year, month: month, day: day).daysSince1970 - referenceDay
        let seconds = days * 86_400 + hour * 3600 + minute * 60 + second - offset
        return Date(timeIntervalSinceReferenceDate: Double(seconds * 1_000_000 + micros) / 1_000_000)
    }
}

/// Reads the numbers of a date or time.
struct Digits {
    private let bytes: [UInt8]
    private var place = 0

    init(_ text: String) { bytes = Array(text.utf8) }

    var isAtEnd: Bool { place == bytes.count }

    static func pad(_ number: Int, _ width: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
    }

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard !isAtEnd, bytes[place] == UInt8(ascii: character) else { return false }
        place += 1
        return true
    }

    mutating func number(_ width: Int? = nil) -> Int? {
        var (end, value) = (place, 0)
        while end < bytes.count, case let digit = bytes[end] &- UInt8(ascii: "0"), digit < 10 {
            end += 1
            guard end - place <= 9 else { return nil }
            value = value * 10 + Int(digit)
        }
        guard end > place, width == nil || end - place == width else { return nil }
        place = end
        return value
    }

    /// The digits after a decimal point, scaled to this number of places; nil when there are more digits.
    mutating func fraction(_ places: Int) -> Int? {
        let begin = place
        guard var value = number() else { return nil }
        let digits = place - begin
        guard digits <= places else { return nil }
        for _ in digits..<places { value *= 10 }
        return value
    }

    /// `+00`, `-03:30` or `+01:02:03` at the end of the text: the seconds east of UTC.
    mutating func offset() -> Int? {
        let sign = skip("-") ? -1 : 1
        guard sign == -1 || skip("+"), let hours = number(2) else { return nil }
        guard let minutes = skip(":") ? number(2) : 0, let seconds = skip(":") ? number(2) : 0, isAtEnd
        else { return nil }
        return sign * (hours * 3600 + minutes * 60 + seconds)
    }
}
