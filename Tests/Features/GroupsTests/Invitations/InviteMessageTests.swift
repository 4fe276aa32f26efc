import Testing

@testable import Groups

@Suite struct InviteMessageTests {
    private let code = InvitationCode(rawValue: "ABC234")

    @Test("the text names the inviter, the group, the link and the code")
    func text() {
        let text = InvitationMessage.text(
            inviter: "Ana", group: "Family", link: "https://d.test/i/ABC234", code: code)
        #expect(
            text == """
                Ana invited you to share daily photos with "Family" on Dayly.
                Download: https://d.test/i/ABC234
                Join with code: ABC234
                """)
    }

    @Test("an inviter without a readable first name is called Someone")
    func nameless() {
        for name in [nil, "", "\u{200B}\u{202E}"] {
            let text = InvitationMessage.text(inviter: name, group: "Family", link: "x", code: code)
            #expect(text.hasPrefix("Someone invited you"))
        }
        #expect(
            InvitationMessage.text(inviter: "Ana", group: "\u{2028}", link: "x", code: code)
                .contains(#"with "a group" on"#))
    }

    @Test(
        "a name cannot break the line, hide text or change its direction",
        arguments: [
            "A\nB", "A\rB", "A\r\nB", "A\u{0085}B", "A\u{2028}B", "A\u{2029}B", "A\u{000B}B", "A\tB",
            "A\u{00A0}B",
        ])
    func whitespace(name: String) {
        #expect(InvitationMessage.neutralised(name) == "A B")
    }

    @Test(
        "invisible characters are left out",
        arguments: [
            "A\0B", "A\u{0007}B", "A\u{009F}B", "A\u{200B}B", "A\u{200D}B", "A\u{FEFF}B", "A\u{202E}B",
            "A\u{2066}B",
            "A\u{061C}B", "A\u{E0041}B", "A\u{FE0F}B", "A\u{034F}B", "A\u{3164}B", "A\u{00AD}B", "A\u{E000}B",
        ])
    func invisible(name: String) {
        #expect(InvitationMessage.neutralised(name) == "AB")
    }

    /// Guard: invisible characters are removed from names in messages (`InvitationMessage.isInvisible`)
    @Test("no character of Unicode that breaks a line, hides text or changes its direction is kept")
    func everyScalar() {
        let suspects = [0...0x2FFF, 0xD7B0...0xFFFF, 0x1BC90...0x1BCBF, 0x1D150...0x1D18F, 0xE0000...0xE0FFF]
        let text = String(
            String.UnicodeScalarView(
                suspects.flatMap { $0.compactMap { Unicode.Scalar(UInt32($0)) } }
                    .flatMap { [Unicode.Scalar(UInt8(ascii: "x")), $0] }))
        for scalar in InvitationMessage.neutralised(text).unicodeScalars {
            let isHarmless =
                switch scalar.properties.generalCategory {
                case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse,
                    .unassigned:
                    false
                default: !scalar.properties.isDefaultIgnorableCodePoint && !scalar.properties.isBidiControl
                }
            if !isHarmless { Issue.record("U+\(String(scalar.value, radix: 16)) is left") }
        }
    }

    @Test(
        "no part of a name becomes a link",
        arguments: [
            ("evil.com", "evil. com"), ("www.evil.com/x?y", "www. evil. com/x?y"),
            ("https://evil.com", "https: evil. com"), ("http://localhost", "http: localhost"),
            ("evil。com", "evil。 com"), ("evil．com", "evil． com"), ("1.2.3.4", "1. 2. 3. 4"),
            ("me@evil.com", "me@evil. com"), ("mailto:me", "mailto: me"), ("tel:911", "tel: 911"),
            ("e\u{200B}vil.\u{200B}com", "evil. com"), ("//evil", "/evil"), ("http:\\\\evil", "http: evil"),
            ("evil..com", "evil.. com"),
        ])
    func links(name: String, expected: String) {
        #expect(InvitationMessage.neutralised(name) == expected)
    }

    @Test(
        "the names of real people stay as they are",
        arguments: [
            "Ana", "Zoë", "José María", "O'Neil", "12:30 club", "AC/DC", "Wait...", "李小龙", "Åse & Co.", "🏡",
        ])
    func ordinary(name: String) {
        #expect(InvitationMessage.neutralised(name) == name)
    }

    @Test("quotation marks do not end the group's name early")
    func quotes() {
        #expect(InvitationMessage.neutralised(#"x" on Dayly “y”"#) == "x' on Dayly 'y'")
    }
}
