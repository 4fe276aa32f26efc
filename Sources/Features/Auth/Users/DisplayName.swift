import Foundation

/// The name of a person or a group, as people see it. It is trimmed, in NFC, and has 1 to 50 Unicode scalars. At least one
/// of them is visible, and none is a control, bidi or other invisible formatting character.
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
        let name = text.trimmingCharacters(in: .whitespacesAndNewlines).precomposedStringWithCanonicalMapping
        let scalars = name.unicodeScalars
        guard !scalars.isEmpty else { throw .empty }
        guard !scalars.contains(where: Self.isTag) else { throw .regionalFlag }
        guard scalars.allSatisfy(Self.isVisible) else { throw .invisibleCharacter }
        guard scalars.count <= maxScalars else { throw .tooLong(scalars.count, limit: maxScalars) }
        guard scalars.contains(where: Self.isInk) else { throw .empty }
        rawValue = name
    }

    /// Tag characters stand for ASCII and are invisible. In names, only the flags of regions such as Scotland use them.
    private static func isTag(_ scalar: Unicode.Scalar) -> Bool {
        ("\u{E0000}"..."\u{E007F}").contains(scalar)
    }

    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned, .privateUse: false
        // Emoji, Persian and Indic scripts need the zero-width joiner and non-joiner. The other format characters steer the
        // direction of text or are invisible.
        case .format: scalar == "\u{200C}" || scalar == "\u{200D}"
        default: true
        }
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
    /// The text has a flag that is spelled with invisible tag characters.
    case regionalFlag

    /// The text for the `detail` of a validation error.
    package var rule: String {
        switch self {
        case .empty: "must have at least one visible character"
        case .tooLong(let count, let limit):
            "must have at most \(limit) characters and has \(count); an accent, or each part of an emoji, may count as one"
        case .invisibleCharacter:
            "must not have control characters, or invisible ones that steer the direction of text"
        case .regionalFlag:
            "must not have flags of regions such as Scotland's, because they are spelled with invisible characters"
        }
    }
}
