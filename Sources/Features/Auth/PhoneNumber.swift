import Foundation
import Postgres

/// A phone number in E.164: `+`, then 7 to 15 digits of which the first is not 0. One number has one spelling.
package struct PhoneNumber: RawRepresentable, Hashable, Sendable, PostgresCodable {
    package let rawValue: String

    /// Nil unless `rawValue` is normalised already; `PhoneNumberParser` reads what people write.
    package init?(rawValue: String) {
        let bytes = Array(rawValue.utf8)
        guard (8...16).contains(bytes.count), bytes[0] == UInt8(ascii: "+"), bytes[1] != UInt8(ascii: "0"),
            bytes.dropFirst().allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        self.rawValue = rawValue
    }

    /// For logs: the first two and the last two digits.
    package var masked: String {
        let hidden = String(repeating: "•", count: rawValue.count - 5)
        return rawValue.prefix(3) + hidden + rawValue.suffix(2)
    }
}

/// What an accident would print is the masked number: the whole one is `rawValue`.
extension PhoneNumber: CustomStringConvertible, CustomDebugStringConvertible {
    package var description: String { masked }
    package var debugDescription: String { masked }
}

/// Reads phone numbers as people write them.
package struct PhoneNumberParser: Sendable {
    private let countries: [String]

    /// - Parameter countries: the calling codes that are served (`49`, `+49`); none = all.
    package init(countries: [String] = []) {
        self.countries = countries.map { code in "+" + code.filter(\.isNumber) }.filter { $0 != "+" }
    }

    /// Nil for what is no number or not of a country that is served.
    package func parse(_ text: String) -> PhoneNumber? {
        guard text.utf8.count <= 128 else { return nil }
        var normalised = ""
        for scalar in text.precomposedStringWithCompatibilityMapping.unicodeScalars {
            switch scalar {
            case "0"..."9", "+": normalised.unicodeScalars.append(scalar)
            case " ", "(", ")", ".", "-", "\u{2010}"..."\u{2015}", "\u{2212}": continue
            default: return nil
            }
        }
        guard let number = PhoneNumber(rawValue: normalised) else { return nil }
        guard countries.isEmpty || countries.contains(where: number.rawValue.hasPrefix) else { return nil }
        return number
    }
}
