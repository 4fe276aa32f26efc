import DaylyTesting
import Testing

@testable import Groups

@Suite struct InviteCodeTests {
    @Test("a new code has six characters of the alphabet, none of which looks like another")
    func alphabet() {
        #expect(InvitationCode.alphabet.count == 32)
        #expect(Set(InvitationCode.alphabet).count == 32)
        #expect(InvitationCode.alphabet.allSatisfy { !"0O1I".contains($0) })
        for _ in 0..<200 {
            let code = InvitationCode.random().rawValue
            #expect(code.count == 6)
            #expect(code.allSatisfy(InvitationCode.alphabet.contains))
        }
    }

    @Test("every character occurs in every position of a code")
    func spread() {
        let codes = (0..<4_000).map { _ in Array(InvitationCode.random().rawValue) }
        for place in 0..<6 {
            #expect(Set(codes.map { $0[place] }).count == 32)
        }
    }

    struct Case: Decodable, Sendable, CustomTestStringConvertible {
        let input: String
        let from: String
        let want: String
        var testDescription: String { from }
    }

    /// Guard: a code in a message is the last one, behind other people's words (`TypedInvitationCode.named`)
    @Test(
        "a code is read as people type and paste it",
        arguments: try outsideCases("invitation-codes.json", of: Case.self))
    func typed(outside: Case) {
        let reading: TypedInvitationCode =
            switch outside.want {
            case "misread": .misread
            case "foreign": .foreign
            case "none": .none
            default: .code(InvitationCode(rawValue: outside.want))
            }
        #expect(TypedInvitationCode(outside.input) == reading)
    }
}
