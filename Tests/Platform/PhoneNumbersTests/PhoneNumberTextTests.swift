import DaylyTesting
import Testing

@testable import PhoneNumbers

@Suite("Numbers as people spell them")
struct PhoneNumberTextTests {
    struct Case: Decodable, Sendable, CustomTestStringConvertible {
        let input: String
        let from: String
        let want: String?
        var testDescription: String { from }
    }

    /// Guard: a text with two numbers, or with letters for digits, is none (`PhoneNumberText.isLabel`,
    /// `.isCut`)
    /// Guard: a comma in a number does not cut it to another one (`PhoneNumberText.number`)
    @Test(
        "a number is read as contacts, links and keyboards spell it",
        arguments: try outsideCases("numbers.json", of: Case.self))
    func spellings(outside: Case) {
        #expect(reads(outside))
    }

    /// Guard: all forms of a line are one number (`NumberingPlanChange`, `PhoneNumberFacts`)
    @Test(
        "all forms of a line lead to the one that rings",
        arguments: try outsideCases("numbering-plans.json", of: Case.self))
    func forms(outside: Case) {
        #expect(reads(outside))
    }

    /// Prints what was read instead, so that a red test tells it.
    private func reads(_ outside: Case) -> Bool {
        let facts = PhoneNumberText.facts(outside.input)
        let number = facts.flatMap { $0.isPossible ? $0.e164 : nil }
        if number != outside.want {
            print("\(outside.input): \(number ?? "nothing"), not \(outside.want ?? "nothing")")
        }
        return number == outside.want
    }

    @Test("a number that was read reads as itself", arguments: ["numbers.json", "numbering-plans.json"])
    func again(file: String) throws {
        for number in try outsideCases(file, of: Case.self).compactMap(\.want) {
            #expect(PhoneNumberText.facts(number)?.e164 == number)
        }
    }

    @Test("a number of any country, once read, reads as itself")
    func everyCountry() {
        var random = SystemRandomNumberGenerator()
        for code in 1...999 where PhoneCountries.hasCallingCode(code) {
            for _ in 0..<40 {
                let length = Int.random(in: 6...12, using: &random)
                let national = String(
                    (0..<length).compactMap { _ in "0123456789".randomElement(using: &random) })
                guard let facts = PhoneNumberFacts("+\(code)\(national)") else { continue }
                #expect(PhoneNumberFacts(facts.e164) == facts, "+\(code)\(national)")
            }
        }
    }

    /// Guard: a living form that the metadata does not know is accepted (`PhoneNumberFacts.byOlderForm`)
    @Test("a line whose living form the metadata does not know keeps its kind and country")
    func newerThanMetadata() throws {
        let facts = try #require(PhoneNumberFacts("+2290190123456"))
        #expect(facts.region == "BJ" && facts.line == .mobile && facts.isPossible && facts.isValid)
        #expect(PhoneNumberFacts("+22990123456") == facts)
    }

    @Test(
        "a range that mobile lines have got since the metadata is not a pager's or a company's",
        arguments: ["+6426921026", "+85271012345", "+856305263184"])
    func mobileSince(number: String) {
        #expect(PhoneNumberFacts(number)?.line == .mobile)
    }

    /// Guard: a label or a text that is far too long is not read for a number (`PhoneNumberText.maxBytes`,
    /// `.maxLabelScalars`)
    @Test("a long text is refused unread, and a long label too")
    func bounds() {
        #expect(PhoneNumberText.facts(String(repeating: " ", count: 300) + "+4915123456789") == nil)
        #expect(PhoneNumberText.facts(String(repeating: "a", count: 41) + "+4915123456789") == nil)
        #expect(PhoneNumberText.facts(String(repeating: "a", count: 40) + "+4915123456789") != nil)
    }
}
