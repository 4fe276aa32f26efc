import CPhoneNumbers

/// Facts about a number from the world's numbering plans (Google's libphonenumber and its metadata).
package struct PhoneNumberFacts: Sendable, Equatable {
    /// The use of a number, as far as its range shows.
    package enum Line: Sendable, Equatable, CaseIterable {
        case fixed, mobile, fixedOrMobile, tollFree, premiumRate, sharedCost, voiceOverIP, personal, pager
        case companyWide, voicemail, unknown
    }

    /// Normalised: `+` and digits.
    package let e164: String
    /// ISO 3166 alpha-2, of the country code's main region where the range tells nothing; `001` for numbers of no
    /// country.
    package let region: String
    package let callingCode: Int
    package let line: Line
    /// Whether the numbering plan has numbers of this length. The one test of whether a number may exist: new ranges
    /// are given out faster than the metadata of an installed library follows.
    package let isPossible: Bool
    /// Whether it lies in a range that the metadata knows.
    package let isValid: Bool

    private static let maxReadings = 16

    /// Nil unless `text` is `+`, a country code that there is, and digits: at most 64 bytes of ASCII in all.
    package init?(_ text: String) {
        // A trunk prefix that is written twice is taken off once at a time: one number is to have one spelling.
        var spelling = text
        var facts = cphonenumbers_facts()
        for _ in 0..<Self.maxReadings {
            guard Self.read(&spelling, &facts) else { return nil }
            let normalised = Self.string(facts.e164)
            if normalised == spelling { break }
            spelling = normalised
        }
        guard Self.string(facts.e164) == spelling else { return nil }
        e164 = Self.string(facts.e164)
        region = Self.string(facts.region)
        callingCode = Int(facts.calling_code)
        line = Line(facts.type)
        isPossible = facts.is_possible
        isValid = facts.is_valid
    }

    /// Loads the metadata, which the first number would wait for otherwise.
    package static func load() {
        _ = PhoneNumberFacts("+10")
    }

    private static func read(_ text: inout String, _ facts: inout cphonenumbers_facts) -> Bool {
        text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { cphonenumbers_read($0.baseAddress, $0.count, &facts) }
        }
    }

    /// A C array that ends in a NUL.
    private static func string<Tuple>(_ characters: Tuple) -> String {
        withUnsafeBytes(of: characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}

extension PhoneNumberFacts.Line {
    fileprivate init(_ type: cphonenumbers_type) {
        switch type {
        case CPHONENUMBERS_FIXED_LINE: self = .fixed
        case CPHONENUMBERS_MOBILE: self = .mobile
        case CPHONENUMBERS_FIXED_LINE_OR_MOBILE: self = .fixedOrMobile
        case CPHONENUMBERS_TOLL_FREE: self = .tollFree
        case CPHONENUMBERS_PREMIUM_RATE: self = .premiumRate
        case CPHONENUMBERS_SHARED_COST: self = .sharedCost
        case CPHONENUMBERS_VOIP: self = .voiceOverIP
        case CPHONENUMBERS_PERSONAL: self = .personal
        case CPHONENUMBERS_PAGER: self = .pager
        case CPHONENUMBERS_UAN: self = .companyWide
        case CPHONENUMBERS_VOICEMAIL: self = .voicemail
        default: self = .unknown
        }
    }
}
