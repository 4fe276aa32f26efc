import Foundation
import PhoneNumbers

/// The reason why a text is not a number that the service sends text messages to.
package enum PhoneNumberRefusal: String, Error, Sendable, CaseIterable {
    /// The text has no `+`, an unknown country code, or a part that does not belong in a number, such as an extension.
    case malformed
    /// The numbering plan has no numbers of this length.
    case impossible
    /// The kind of line does not get text messages, or the sender of a message pays money to the line's owner.
    case line
    /// The service does not send to this country.
    case country
}

/// Reads phone numbers as people write them, by the world's numbering plans.
///
/// A number of a possible length is accepted even if its range is unknown, because operators receive new ranges faster
/// than the installed metadata is updated. A number that the metadata knows as premium rate or the like is refused.
package struct PhoneNumberParser: Sendable {
    private static let maxBytes = 128

    private let callingCodes: Set<Int>
    private let regions: Set<String>

    /// - Parameter countries: calling codes (`49`, `+49`) and ISO 3166 regions (`DE`) that the service sends to. An empty
    ///   list means all countries.
    package init(countries: [String] = []) {
        callingCodes = Set(countries.compactMap { Int($0.filter { $0.isASCII && $0.isNumber }) })
        regions = Set(
            countries.map { $0.uppercased() }.filter { $0.allSatisfy { $0.isASCII && $0.isLetter } })
        // Load the metadata now, so that the first caller does not wait for it.
        PhoneNumberFacts.load()
    }

    /// Nil when the text is not a number that the service sends text messages to.
    package func parse(_ text: String) -> PhoneNumber? {
        try? read(text).number
    }

    /// A number with its facts.
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
        // Many countries charge personal numbers like premium rate. North America does not.
        case .personal: facts.callingCode != 1
        case .fixed, .mobile, .fixedOrMobile, .tollFree, .voiceOverIP, .unknown: false
        }
    }

    /// Converts digits of any script and width to `+` and ASCII digits, without spaces and punctuation.
    private static func digits(_ text: String) -> String? {
        guard text.utf8.count <= maxBytes else { return nil }
        var digits = ""
        for scalar in text.precomposedStringWithCompatibilityMapping.unicodeScalars {
            switch scalar {
            case "0"..."9", "+": digits.unicodeScalars.append(scalar)
            case " ", "(", ")", ".", "-", "\u{2010}"..."\u{2015}", "\u{2212}": continue
            // Direction marks: phones add them when a person copies a number out of their contacts.
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
