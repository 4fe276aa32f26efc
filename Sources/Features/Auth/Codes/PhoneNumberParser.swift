import Foundation
import PhoneNumbers

/// Why a text is no number that gets text messages.
package enum PhoneNumberRefusal: String, Error, Sendable, CaseIterable {
    /// No `+`, no country code that there is, or something that belongs in no number, such as an extension.
    case malformed
    /// The numbering plan has no numbers of that length.
    case impossible
    /// A kind of line that takes no text messages, or makes the sender pay for the line's owner.
    case line
    /// Not of a country that is served.
    case country
}

/// Reads phone numbers as people write them, by the world's numbering plans.
///
/// A number whose length is possible is taken even if its range is unknown: new ranges are given out faster than the
/// installed metadata follows. What the metadata does know to be premium rate and the like is refused.
package struct PhoneNumberParser: Sendable {
    private static let maxBytes = 128

    private let callingCodes: Set<Int>
    private let regions: Set<String>

    /// - Parameter countries: calling codes (`49`, `+49`) and ISO 3166 regions (`DE`) that are served; none = all.
    package init(countries: [String] = []) {
        callingCodes = Set(countries.compactMap { Int($0.filter { $0.isASCII && $0.isNumber }) })
        regions = Set(
            countries.map { $0.uppercased() }.filter { $0.allSatisfy { $0.isASCII && $0.isLetter } })
        // Now rather than while the first caller waits.
        PhoneNumberFacts.load()
    }

    /// Nil for what is no number that gets text messages here.
    package func parse(_ text: String) -> PhoneNumber? {
        try? read(text).number
    }

    /// A number and what is known about it.
    package func read(
        _ text: String
    ) throws(PhoneNumberRefusal) -> (number: PhoneNumber, facts: PhoneNumberFacts) {
        guard let digits = Self.digits(text), let facts = PhoneNumberFacts(digits) else { throw .malformed }
        guard facts.isPossible, let number = PhoneNumber(rawValue: facts.e164) else { throw .impossible }
        guard !Self.isBarred(facts) else { throw .line }
        guard isServed(facts) else { throw .country }
        return (number, facts)
    }

    private func isServed(_ facts: PhoneNumberFacts) -> Bool {
        (callingCodes.isEmpty && regions.isEmpty) || callingCodes.contains(facts.callingCode)
            || regions.contains(facts.region)
    }

    private static func isBarred(_ facts: PhoneNumberFacts) -> Bool {
        switch facts.line {
        case .premiumRate, .sharedCost, .pager, .companyWide, .voicemail: true
        // Many a country's personal numbers are charged like premium rate; North America's are not.
        case .personal: facts.callingCode != 1
        case .fixed, .mobile, .fixedOrMobile, .tollFree, .voiceOverIP, .unknown: false
        }
    }

    /// `+` and ASCII digits, without what people put between them: any script's digits, any width.
    private static func digits(_ text: String) -> String? {
        guard text.utf8.count <= maxBytes else { return nil }
        var digits = ""
        for scalar in text.precomposedStringWithCompatibilityMapping.unicodeScalars {
            switch scalar {
            case "0"..."9", "+": digits.unicodeScalars.append(scalar)
            case " ", "(", ")", ".", "-", "\u{2010}"..."\u{2015}", "\u{2212}": continue
            // Marks of direction, which come along when a number is copied out of a list of contacts.
            case "\u{200E}", "\u{200F}", "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}": continue
            default:
                guard scalar.properties.generalCategory == .decimalNumber,
                    let value = scalar.properties.numericValue
                else { return nil }
                digits += String(Int(value))
            }
        }
        return digits
    }
}
