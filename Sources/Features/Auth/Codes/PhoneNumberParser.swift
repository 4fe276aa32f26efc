import Foundation
import PhoneNumbers

/// The reason why a text is not a number that the service sends text messages to.
package enum PhoneNumberRefusal: String, Error, Sendable, CaseIterable {
    /// The text has no `+`, an unknown country code, or a part that may stand for another number.
    case malformed
    /// The numbering plan has no numbers of this length.
    case impossible
    /// The kind of line does not get text messages, or the sender of a message pays money to the line's owner.
    case line
    /// The service does not send to this country.
    case country
}

/// Reads phone numbers as people write them, by the world's numbering plans. All spellings and forms of one line give one
/// number (`PhoneNumberText`, `PhoneNumberFacts`).
///
/// A number of a possible length is accepted even if its range is unknown, because operators receive new ranges faster
/// than the installed metadata is updated. A number that the metadata knows as premium rate or the like is refused.
package struct PhoneNumberParser: Sendable {
    /// The text for the `detail` of a validation error.
    package static let rule =
        "must be a phone number with a + and its country code (not 00), such as +49 151 23456789"

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
        guard let facts = PhoneNumberText.facts(text) else { throw .malformed }
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
}
