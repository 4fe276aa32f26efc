import Foundation

/// `uuid` as PostgreSQL writes it: 8-4-4-4-12 digits, in lower case. Foundation's conversion uses printf and scanf, which
/// is measurably slow for thousands of ids.
enum UUIDText {
    static func text(_ id: UUID) -> String {
        let digits: StaticString = "0123456789abcdef"
        return withUnsafeBytes(of: id.uuid) { bytes in
            String(unsafeUninitializedCapacity: 36) { buffer in
                var place = 0
                for (index, byte) in bytes.enumerated() {
                    if hasHyphenBefore(index) {
                        buffer[place] = UInt8(ascii: "-")
                        place += 1
                    }
                    buffer[place] = digits.utf8Start[Int(byte >> 4)]
                    buffer[place + 1] = digits.utf8Start[Int(byte & 15)]
                    place += 2
                }
                return place
            }
        }
    }

    /// - Returns: nil when the text is not a UUID. Digits may be in either case.
    static func id(_ text: String) -> UUID? {
        var text = text
        return text.withUTF8 { text in
            guard text.count == 36 else { return nil }
            var id: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
            var place = 0
            for index in 0..<16 {
                if hasHyphenBefore(index) {
                    guard text[place] == UInt8(ascii: "-") else { return nil }
                    place += 1
                }
                guard let high = Bytea.nibble(text[place]), let low = Bytea.nibble(text[place + 1]) else {
                    return nil
                }
                withUnsafeMutableBytes(of: &id) { $0[index] = high << 4 | low }
                place += 2
            }
            return UUID(uuid: id)
        }
    }

    private static func hasHyphenBefore(_ index: Int) -> Bool {
        index == 4 || index == 6 || index == 8 || index == 10
    }
}
