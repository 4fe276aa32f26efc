import PhoneNumbers
import Testing

/// Guard: lengths, lines, countries, one spelling (`PhoneNumberParser`)
@Suite("Numbering plans")
struct PhoneNumberFactsTests {
    @Test(
        "a number's country and kind are known",
        arguments: [
            ("+14155550101", "US", 1, PhoneNumberFacts.Line.fixedOrMobile),
            ("+4915123456789", "DE", 49, .mobile), ("+442079460000", "GB", 44, .fixed),
            ("+19005551234", "US", 1, .premiumRate), ("+4918012345", "DE", 49, .sharedCost),
            ("+18005551234", "US", 1, .tollFree), ("+447012345678", "GB", 44, .personal),
            ("+18765551234", "JM", 1, .mobile),
        ])
    func kinds(text: String, region: String, callingCode: Int, line: PhoneNumberFacts.Line) throws {
        let facts = try #require(PhoneNumberFacts(text))
        #expect(facts.e164 == text)
        #expect(facts.region == region)
        #expect(facts.callingCode == callingCode)
        #expect(facts.line == line)
        #expect(facts.isPossible && facts.isValid)
    }

    @Test(
        "a trunk prefix is no part of a number, a leading zero that belongs to it is",
        arguments: [
            ("+4402079460000", "+442079460000"), ("+49015123456789", "+4915123456789"),
            ("+114155550101", "+14155550101"), ("+440002079460000", "+442079460000"),
            ("+390612345678", "+390612345678"),
        ])
    func trunkPrefixes(text: String, e164: String) {
        #expect(PhoneNumberFacts(text)?.e164 == e164)
    }

    @Test("a number of a range that nobody knows is possible all the same; one of a wrong length is not")
    func possible() throws {
        let unassigned = try #require(PhoneNumberFacts("+15550001234"))
        #expect(unassigned.isPossible && !unassigned.isValid && unassigned.line == .unknown)
        #expect(unassigned.region == "US")
        for text in ["+1234567", "+155500012", "+155500012345", "+123456789012345"] {
            #expect(PhoneNumberFacts(text)?.isPossible != true, "\(text)")
        }
    }

    /// Guard: only + and digits, at most 64 bytes, reach libphonenumber (CPhoneNumbers `is_spelt_out`)
    @Test(
        "what is not a plus, a country code and digits is nothing",
        arguments: [
            "", "+", "++1", "4915123456789", "+49 15123456789", "+4915123456789;ext=5", "+4915123456789x5",
            "+0151234567",
            "+99912345678", "+21012345678", "+49\u{0}15123456789", "+4915123456789\u{0}", "+４９１５１２３４５６７８９",
            "tel:+49151",
        ])
    func malformed(text: String) {
        #expect(PhoneNumberFacts(text) == nil)
    }

    /// Guard: only + and digits, at most 64 bytes, reach libphonenumber (CPhoneNumbers `is_spelt_out`)
    @Test("any bytes, of any length, are read or refused")
    func anything() {
        var random = SystemRandomNumberGenerator()
        let alphabet = Array("+0123456789+0123456789 ()-;=xext\u{0}\u{7f}٣９é🙂".unicodeScalars)
        for round in 0..<20_000 {
            var text = String.UnicodeScalarView()
            if round.isMultiple(of: 2) { text.append("+") }
            // The bound and what lies around it, and far beyond.
            let length = round.isMultiple(of: 100) ? 60 + round % 7 : Int.random(in: 0...24, using: &random)
            for _ in 0..<length {
                let digits = round.isMultiple(of: 3)
                let scalar =
                    digits
                    ? alphabet[Int.random(in: 1...10, using: &random)]
                    : alphabet.randomElement(using: &random)
                text.append(scalar ?? "0")
            }
            guard let facts = PhoneNumberFacts(String(text)) else { continue }
            #expect(facts.e164.hasPrefix("+") && facts.e164.utf8.count <= 23)
            #expect(facts.e164.dropFirst().allSatisfy { $0.isASCII && $0.isNumber })
            // A normalised number stays the same.
            if facts.isPossible {
                #expect(PhoneNumberFacts(facts.e164)?.e164 == facts.e164, "\(String(text))")
            }
        }
        #expect(PhoneNumberFacts("+" + String(repeating: "4", count: 64)) == nil)
        #expect(PhoneNumberFacts("+" + String(repeating: "4", count: 10_000_000)) == nil)
    }

    @Test("it can be asked from many threads at once")
    func threads() async {
        let answers = await withTaskGroup(of: Int.self) { group in
            for task in 0..<16 {
                group.addTask {
                    (0..<500).count {
                        PhoneNumberFacts("+4915\(100_000_000 + task * 1_000 + $0)")?.region == "DE"
                    }
                }
            }
            return await group.reduce(0, +)
        }
        #expect(answers == 16 * 500)
    }
}
