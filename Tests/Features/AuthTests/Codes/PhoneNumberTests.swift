import DaylyTesting
import Testing

@testable import Auth

/// Guard: lengths, lines, countries, one spelling (`PhoneNumberParser`)
/// Guard: names: visible, with ink, NFC; numbers: NFKC, countries, masked when printed (`DisplayName`,
/// `PhoneNumber`)
@Suite("Phone numbers")
struct PhoneNumberTests {
    @Test(
        "one number has one spelling",
        arguments: [
            "+4915123456789", "+49 151 23456789", "+49-151-2345-6789", "+49 (151) 23.45.67.89",
            " +4915123456789 ",
            "+４９１５１２３４５６７８９", "＋4915123456789", "+49\u{00A0}151\u{2011}23456789", "+49\u{2013}15123456789",
            "+٤٩١٥١٢٣٤٥٦٧٨٩", "+४९१५१२३४५६७८९", "\u{202A}+49 151 23456789\u{202C}", "+49 (0)151 23456789",
        ])
    func normalises(text: String) {
        #expect(PhoneNumberParser().parse(text)?.rawValue == "+4915123456789")
    }

    @Test(
        "a text that is not a number in E.164 is refused",
        arguments: [
            "", "+", "4915123456789", "+0123456789", "+123456", "+1234567890123456", "+49151234567a",
            "+49\n15123456", "+49\u{0}15123456", "+99912345678", "+49151,234567", "49+15123456",
            "004915123456789",
        ])
    func refuses(text: String) {
        #expect(PhoneNumberParser().parse(text) == nil)
    }

    @Test("a length that the numbering plan does not have is refused, and an unknown range is accepted")
    func lengths() {
        for text in ["+1234567", "+155500012345", "+123456789012345"] {
            #expect(throws: PhoneNumberRefusal.impossible) { try PhoneNumberParser().read(text) }
        }
        for text in ["+15550001234", "+10000000001", "+447700900123", "+4915123456"] {
            #expect(PhoneNumberParser().parse(text)?.rawValue == text)
        }
        #expect(PhoneNumberParser().parse(String(repeating: " ", count: 1_000) + "+14155550101") == nil)
    }

    @Test(
        "lines that cannot receive messages, or charge the sender, are refused",
        arguments: ["+19005551234", "+499001234567", "+4918012345", "+447012345678"])
    func lines(text: String) {
        #expect(throws: PhoneNumberRefusal.line) { try PhoneNumberParser().read(text) }
    }

    @Test(
        "personal numbers of North America cost what others cost",
        arguments: ["+15005550006", "+18005551234"])
    func otherLines(text: String) {
        #expect(PhoneNumberParser().parse(text)?.rawValue == text)
    }

    @Test("a country is known by its calling code, and by its region where countries share one")
    func regions() {
        let parser = PhoneNumberParser(countries: ["us", "44"])
        #expect(parser.parse("+14155550100") != nil)
        #expect(parser.parse("+15550001234") != nil)
        #expect(parser.parse("+442079460000") != nil)
        #expect(throws: PhoneNumberRefusal.country) { try parser.read("+18765551234") }
        #expect(throws: PhoneNumberRefusal.country) { try parser.read("+4915123456789") }
    }

    @Test("when countries are configured, others are not served")
    func countries() {
        let parser = PhoneNumberParser(countries: ["49", "+1"])
        #expect(parser.parse("+4915123456789") != nil)
        #expect(parser.parse("+14155550100") != nil)
        #expect(parser.parse("+436641234567") == nil)
    }

    @Test("a number that is printed by accident is masked")
    func masks() throws {
        let number = try #require(PhoneNumberParser().parse("+4915123456789"))
        #expect(number.masked == "+49•••••••••89")
        #expect("\(number)" == number.masked)
        #expect(String(reflecting: number) == number.masked)
        #expect(!"\(Optional(number) as Any) \([number])".contains("151234"))
    }
}

/// Guard: names: visible, with ink, NFC; numbers: NFKC, countries, masked when printed (`DisplayName`,
/// `PhoneNumber`)
@Suite("Names")
struct DisplayNameTests {
    /// Guard: invisible characters go from a name's ends and are refused in its middle
    /// (`DisplayName.trimmed`, `.isVisible`)
    @Test(
        "a name is kept as phones and address books send it, without what nobody sees at its ends",
        arguments: try outsideCases("names.json", of: OutsideText.self))
    func fromOutside(outside: OutsideText) {
        #expect(
            DisplayName(outside.input).map { Array($0.rawValue.unicodeScalars) }
                == outside.want.map { Array($0.unicodeScalars) })
    }

    @Test("a name is trimmed and in NFC")
    func normalises() {
        #expect(DisplayName("  Zoe\u{308}\n")?.rawValue == "Zo\u{EB}")
        #expect(DisplayName("Zoe\u{308}")?.rawValue.unicodeScalars.count == 3)
    }

    @Test(
        "the names of real people are accepted",
        arguments: [
            "Ada", "Jean-Luc", "O'Neil", "李", "Søren", "نیما\u{200C}نام", "👩\u{200D}👩\u{200D}👧", "Ann <3",
        ])
    func takes(name: String) {
        #expect(DisplayName(name) != nil)
    }

    @Test(
        "characters that steer the text or hide it are refused",
        arguments: [
            "", " ", "\t\n", "a\u{0}b", "a\nb", "a\u{7}b", "a\u{85}b", "a\u{202E}b", "a\u{2066}b",
            "a\u{200E}b",
            "a\u{200B}b", "a\u{2028}b", "a\u{2029}b", "a\u{FEFF}b", "a\u{E0041}b", "\u{200D}", "\u{3164}",
            "\u{AD}\u{AD}", "a\u{E000}",
        ])
    func refuses(name: String) {
        #expect(DisplayName(name) == nil)
    }

    /// Guard: a name has a visible character (`DisplayName.isInk`)
    @Test(
        "a name has a visible character: blanks, marks and placeholders alone are refused",
        arguments: [
            "\u{2800}", "\u{2800} \u{2800}", "\u{301}", "\u{301}\u{302}", "\u{20DD}", "\u{93E}", "\u{FFFC}",
            "\u{FE0F}",
            " \u{301} \u{2800}",
        ])
    func hasInk(name: String) {
        #expect(throws: DisplayNameFault.empty) { try DisplayName(checking: name) }
        #expect(DisplayName("A" + name) != nil)
    }

    @Test("a refused name is explained: its length, a hiding character")
    func faults() {
        #expect(DisplayName("Ada 🇫🇷") != nil)
        #expect(throws: DisplayNameFault.invisibleCharacter) { try DisplayName(checking: "a\u{202E}b") }
        #expect(throws: DisplayNameFault.empty) { try DisplayName(checking: " ") }
        let fault = #expect(throws: DisplayNameFault.self) {
            try DisplayName(checking: String(repeating: "x", count: 51))
        }
        #expect(fault == .tooLong(51, limit: 50))
        #expect(fault?.rule.contains("at most 50 characters and has 51") == true)
    }

    @Test("a name's length counts after trimming and composing")
    func lengths() {
        #expect(DisplayName(String(repeating: "e\u{301}", count: 50)) != nil)
        #expect(DisplayName(String(repeating: "e\u{301}", count: 51)) == nil)
        #expect(DisplayName(" " + String(repeating: "x", count: 50) + " ") != nil)
        #expect(DisplayName(String(repeating: "x", count: 100_000)) == nil)
    }
}

/// A text that people send, and what it is read as; nil where it is refused.
struct OutsideText: Decodable, Sendable, CustomTestStringConvertible {
    let input: String
    let from: String
    let want: String?
    var testDescription: String { from }
}
