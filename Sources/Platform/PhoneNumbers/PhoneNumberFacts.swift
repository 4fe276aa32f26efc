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
    package private(set) var line: Line
    /// Whether the numbering plan has numbers of this length. Use this test for whether a number can exist: operators
    /// receive new ranges faster than the metadata of an installed library is updated.
    package let isPossible: Bool
    /// Whether the number is in a range that the metadata knows.
    package let isValid: Bool

    private static let maxReadings = 16

    /// Nil unless `text` is `+`, an existing country code, and digits: at most 64 bytes of ASCII in all.
    ///
    /// All forms of one line lead to one number: see `NumberingPlanChange`. Reading an `e164` again gives the same.
    package init?(_ text: String) {
        // Each reading takes one trunk prefix off, or one form back to the living one, until nothing changes.
        var spelling = text
        var found: PhoneNumberFacts?
        for _ in 0..<Self.maxReadings {
            guard let facts = PhoneNumberFacts(reading: spelling) else { return nil }
            found = facts
            let living = NumberingPlanChange.living(String(facts.e164.dropFirst())).map { "+" + $0 }
            let normalised = living ?? facts.e164
            if normalised == spelling { break }
            spelling = normalised
        }
        guard let found, found.e164 == spelling else { return nil }
        self = found.isValid ? found : found.withoutPrefix ?? found.byOlderForm ?? found
    }

    /// The library's own reading.
    private init?(reading text: String) {
        var text = text
        var facts = cphonenumbers_facts()
        guard Self.read(&text, &facts) else { return nil }
        self.init(
            e164: Self.string(facts.e164), region: Self.string(facts.region),
            callingCode: Int(facts.calling_code), line: Line(facts.type), isPossible: facts.is_possible,
            isValid: facts.is_valid)
        if NumberingPlanChange.isMobileSince(String(e164.dropFirst())) { line = .mobile }
    }

    private init(
        e164: String, region: String, callingCode: Int, line: Line, isPossible: Bool, isValid: Bool
    ) {
        self.e164 = e164
        self.region = region
        self.callingCode = callingCode
        self.line = line
        self.isPossible = isPossible
        self.isValid = isValid
    }

    /// The number without zeros, and without a second country code, behind the country code: forms put one before a number
    /// that has it, and people write zeros where the country has none. Nil unless only that number is in a known range.
    private var withoutPrefix: PhoneNumberFacts? {
        let code = String(callingCode)
        let national = e164.dropFirst(1 + code.count)
        let bare = national.drop { $0 == "0" }
        let candidates = [bare, bare.hasPrefix(code) ? bare.dropFirst(code.count) : bare]
        return candidates.lazy.filter { $0.count < national.count }
            .compactMap { PhoneNumberFacts("+" + code + $0) }.first(where: \.isValid)
    }

    /// The number with what the metadata knows about its older form, where the metadata is older than the living form.
    private var byOlderForm: PhoneNumberFacts? {
        guard let older = NumberingPlanChange.undone(String(e164.dropFirst())),
            let known = PhoneNumberFacts(reading: "+" + older)
        else { return nil }
        return PhoneNumberFacts(
            e164: e164, region: known.region, callingCode: known.callingCode, line: known.line,
            isPossible: isPossible || known.isPossible, isValid: known.isValid)
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
