import Foundation
import Postgres

/// A phone number in E.164: `+`, then 7 to 15 digits, the first of which is not 0. One number has one spelling.
package struct PhoneNumber: RawRepresentable, Hashable, Sendable, PostgresCodable {
    package let rawValue: String

    /// Nil unless `rawValue` is already normalised. `PhoneNumberParser` reads the spellings of people.
    package init?(rawValue: String) {
        let bytes = Array(rawValue.utf8)
        guard (8...16).contains(bytes.count), bytes[0] == UInt8(ascii: "+"), bytes[1] != UInt8(ascii: "0"),
            bytes.dropFirst().allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        self.rawValue = rawValue
    }

    /// The number for logs: the first two and the last two digits.
    package var masked: String {
        let hidden = String(repeating: "•", count: rawValue.count - 5)
        return rawValue.prefix(3) + hidden + rawValue.suffix(2)
    }

    /// The number without its last four digits. As a rule, one operator holds all numbers of a prefix. A fraudster who
    /// earns money from text messages controls numbers of the same prefix by the thousand.
    var prefix: String { String(rawValue.dropLast(4)) }
}

/// Printing a number by accident prints the masked number. The whole number is `rawValue`.
extension PhoneNumber: CustomStringConvertible, CustomDebugStringConvertible {
    package var description: String { masked }
    package var debugDescription: String { masked }
}
