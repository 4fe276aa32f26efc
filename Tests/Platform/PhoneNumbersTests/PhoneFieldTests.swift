import DaylyTesting
import PhoneNumbers
import Testing

@Suite("What the phone field of the web client sends")
struct PhoneFieldTests {
    struct Case: Decodable, Sendable {
        let region: String
        let want: String?
        /// The form by which the service knows the line, where it is another one.
        let service: String?
    }

    @Test(
        "each number that the field makes of a text is read as itself, or as the line's other form",
        arguments: ["phone-field-countries.json", "phone-field.json"])
    func reads(file: String) throws {
        for each in try outsideCases(file, of: Case.self) {
            guard let want = each.want else { continue }
            let facts = PhoneNumberFacts(want)
            #expect(facts?.e164 == each.service ?? want, "\(each.region) \(want)")
            #expect(facts?.isPossible == true, "\(each.region) \(want)")
        }
    }
}
