/// The text of an invitation SMS.
enum InvitationMessage {
    static func text(inviter: String?, group: String, link: String, code: InvitationCode) -> String {
        let name = neutralised(inviter ?? "")
        let group = neutralised(group)
        return """
            \(name.isEmpty ? "Someone" : name) invited you to share daily photos with \
            "\(group.isEmpty ? "a group" : group)" on Dayly.
            Download: \(link)
            Join with code: \(code.rawValue)
            """
    }

    /// Changes `name` so that people can only read it as a name. It removes line breaks and invisible characters (control,
    /// bidi, zero-width and tag characters, variation selectors), replaces quotation marks that would end the name early,
    /// and breaks up everything that a phone would turn into a link.
    static func neutralised(_ name: String) -> String {
        var scalars = String.UnicodeScalarView()
        var spacePending = false
        for scalar in name.unicodeScalars {
            if scalar.properties.isWhitespace {
                spacePending = !scalars.isEmpty
            } else if !isInvisible(scalar) {
                if spacePending { scalars.append(" ") }
                spacePending = false
                scalars.append(quotes.contains(scalar) ? "'" : scalar)
            }
        }
        return withoutLinks(scalars)
    }

    private static let quotes: Set<Unicode.Scalar> = [
        "\"", "\u{201C}", "\u{201D}", "\u{201E}", "\u{201F}", "\u{FF02}",
    ]
    /// The full stop, and the characters that name resolution or a reader treats as one.
    private static let dots: Set<Unicode.Scalar> = [
        ".", "\u{2024}", "\u{3002}", "\u{FE52}", "\u{FF0E}", "\u{FF61}",
    ]
    private static let colons: Set<Unicode.Scalar> = [":", "\u{FE55}", "\u{FF1A}"]
    private static let slashes: Set<Unicode.Scalar> = [
        "/", "\\", "\u{2044}", "\u{2215}", "\u{FF0F}", "\u{FF3C}",
    ]

    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
            true
        default: scalar.properties.isDefaultIgnorableCodePoint
        }
    }

    /// A link needs a scheme, or a dot with a character on both sides. So this adds a space after each such dot, removes the
    /// slashes of `://`, and adds a space after a colon that follows a letter (`mailto:`, `tel:`).
    private static func withoutLinks(_ scalars: String.UnicodeScalarView) -> String {
        var result = String.UnicodeScalarView()
        for scalar in scalars {
            if let last = result.last {
                if slashes.contains(scalar), slashes.contains(last) || colons.contains(last) { continue }
                let endsWord = dots.contains(last) || (colons.contains(last) && followsLetter(result))
                if endsWord, scalar != " ", !dots.contains(scalar) { result.append(" ") }
            }
            result.append(scalar)
        }
        return String(result)
    }

    private static func followsLetter(_ scalars: String.UnicodeScalarView) -> Bool {
        scalars.dropLast().last?.properties.isAlphabetic ?? false
    }
}
