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

    @Test(
        "a code is accepted as people type it",
        arguments: [
            "ABC234", "abc234", " abc 234 ", "ABC-234", "a-b-c–2—3−4", "abc\u{00A0}234", "\tABC\n234",
        ])
    func typed(text: String) {
        #expect(InvitationCode(typed: text).rawValue == "ABC234")
    }

    @Test(
        "a text that cannot be a code matches no code",
        arguments: ["", "ABC23", "ABC2345", "ABC10O", "АBC234", "ＡBC234", "ß23456", "ABC_34", "\0ABC234"])
    func impossible(text: String) {
        #expect(InvitationCode(typed: text).rawValue.isEmpty)
    }
}
