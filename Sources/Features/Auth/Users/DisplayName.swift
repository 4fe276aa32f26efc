import Foundation

/// The name of a person or a group, as people see it. It is trimmed, also of invisible characters that phones and files put at
/// its ends, in NFC, and has 1 to 50 Unicode scalars. At least one of them is visible, and none is a control, bidi or other
/// invisible formatting character.
package struct DisplayName: RawRepresentable, Hashable, Sendable {
    static let maxScalars = 50

    package let rawValue: String

    package init?(rawValue: String) {
        try? self.init(checking: rawValue)
    }

    package init?(_ text: String) {
        try? self.init(checking: text)
    }

    /// - Parameter maxScalars: the largest number of Unicode scalars. An accent or a part of an emoji may count as one.
    package init(checking text: String, maxScalars: Int = maxScalars) throws(DisplayNameFault) {
        // Refuse a name that is far too long before the costly normalisation.
        let typed = text.unicodeScalars.count
        guard typed <= maxScalars * 8 else { throw .tooLong(typed, limit: maxScalars) }
        let name = Self.trimmed(text).precomposedStringWithCanonicalMapping
        let scalars = name.unicodeScalars
        guard !scalars.isEmpty else { throw .empty }
        let withoutFlags = Self.flags.reduce(name) { $0.replacing($1, with: "") }
        guard withoutFlags.unicodeScalars.allSatisfy(Self.isVisible) else { throw .invisibleCharacter }
        guard scalars.count <= maxScalars else { throw .tooLong(scalars.count, limit: maxScalars) }
        guard scalars.contains(where: Self.isInk) else { throw .empty }
        rawValue = name
    }

    /// Blanks and invisible characters go from both ends. Joiners stay at the end, where Malayalam spells letters with them, and
    /// overrides stay to be refused: no phone writes them, and they turn the text around.
    private static func trimmed(_ text: String) -> String {
        let scalars = text.unicodeScalars
        let start = scalars.firstIndex { !isOuter($0) } ?? scalars.endIndex
        let end = scalars.lastIndex { !isOuter($0) || isJoiner($0) } ?? start
        return start <= end && start < scalars.endIndex ? String(scalars[start...end]) : ""
    }

    private static func isOuter(_ scalar: Unicode.Scalar) -> Bool {
        let isOverride = ("\u{202D}"..."\u{202E}").contains(scalar)
        return scalar.properties.isWhitespace
            || (scalar.properties.generalCategory == .format && !isTag(scalar) && !isOverride)
    }

    /// The flags of England, Scotland and Wales: the only ones that are spelled with tags.
    private static let flags = ["eng", "sct", "wls"].map { region in
        let tags = ("gb" + region).unicodeScalars.compactMap { Unicode.Scalar($0.value + 0xE0000) }
        return String(String.UnicodeScalarView(["\u{1F3F4}"] + tags + ["\u{E007F}"]))
    }

    /// Tag characters stand for ASCII and are invisible.
    private static func isTag(_ scalar: Unicode.Scalar) -> Bool {
        ("\u{E0000}"..."\u{E007F}").contains(scalar)
    }

    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse: false
        // A phone may have emoji that this Unicode version does not have. They are in blocks of their own.
        case .unassigned: ("\u{1F000}"..."\u{1FAFF}").contains(scalar)
        // The other format characters steer the direction of text or are invisible.
        case .format: isJoiner(scalar)
        default: true
        }
    }

    /// Emoji, Persian and Indic scripts need the zero-width joiner and non-joiner.
    private static func isJoiner(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "\u{200C}" || scalar == "\u{200D}"
    }

    /// Whether a scalar is visible by itself. Marks need a letter that carries them. The empty Braille pattern and the object
    /// replacement character show nothing.
    private static func isInk(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .spaceSeparator, .format, .nonspacingMark, .spacingMark, .enclosingMark: false
        default:
            !scalar.properties.isDefaultIgnorableCodePoint && scalar != "\u{2800}" && scalar != "\u{FFFC}"
        }
    }
}

/// The reason why a text is not a valid name.
package enum DisplayNameFault: Error, Equatable {
    /// The text has no visible character.
    case empty
    case tooLong(Int, limit: Int)
    /// The text has a control character, or an invisible one that steers the direction of text.
    case invisibleCharacter

    /// The text for the `detail` of a validation error.
    package var rule: String {
        switch self {
        case .empty: "must have at least one visible character"
        case .tooLong(let count, let limit):
            "must have at most \(limit) characters and has \(count); an accent, or each part of an emoji, may count as one"
        case .invisibleCharacter:
            "must not have control characters, or invisible ones that steer the direction of text"
        }
    }
}
