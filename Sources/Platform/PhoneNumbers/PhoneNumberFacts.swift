import CPhoneNumbers

/// The facts about a number according to the world's numbering plans (Google's libphonenumber and its metadata).
package struct PhoneNumberFacts: Sendable, Equatable {
    /// The kind of line that the number's range is assigned to.
    package enum Line: Sendable, Equatable, CaseIterable {
        case fixed, mobile, fixedOrMobile, tollFree, premiumRate, sharedCost, voiceOverIP, personal, pager
        case companyWide, voicemail, unknown
    }

    /// Normalised: `+` and digits.
    package let e164: String
    /// ISO 3166 alpha-2. It is the main region of the country code when the range belongs to no particular region, and
    /// `001` for numbers that belong to no country.
    package let region: String
    package let callingCode: Int
    package let line: Line
    /// Whether the numbering plan has numbers of this length. Use this test for whether a number can exist: operators
    /// receive new ranges faster than the metadata of an installed library is updated.
    package let isPossible: Bool
    /// Whether the number is in a range that the metadata knows.
    package let isValid: Bool

    private static let maxReadings = 16

    /// Nil unless `text` is `+`, an existing country code, and digits: at most 64 bytes of ASCII in all.
    package init?(_ text: String) {
        // Each reading takes one trunk prefix off. Read again until nothing changes, so that one number has one spelling.
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

    /// Loads the metadata, so that the first number does not wait for it.
    package static func load() {
        _ = PhoneNumberFacts("+10")
    }

    private static func read(_ text: inout String, _ facts: inout cphonenumbers_facts) -> Bool {
        text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { cphonenumbers_read($0.baseAddress, $0.count, &facts) }
        }
    }

    /// Reads a C array that ends in a NUL.
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
