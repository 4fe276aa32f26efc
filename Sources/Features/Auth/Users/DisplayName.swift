import Foundation

/// A name that people see: of a person or a group. Trimmed, in NFC, 1 to 50 scalars, without control, bidi and other
/// invisible formatting characters, and with something to see in it.
package struct DisplayName: RawRepresentable, Hashable, Sendable {
    package static let maxScalars = 50

    package let rawValue: String

    package init?(rawValue: String) {
        try? self.init(checking: rawValue)
    }

    package init?(_ text: String) {
        try? self.init(checking: text)
    }

    /// - Parameter maxScalars: Unicode scalars: an accent or a part of an emoji may be one of its own.
    package init(checking text: String, maxScalars: Int = maxScalars) throws(DisplayNameFault) {
        // Normalising is not free, and a name that is far too long need not be.
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

    /// Tags stand for ASCII and are not shown. In names only the flags of regions, such as Scotland's, have them.
    private static func isTag(_ scalar: Unicode.Scalar) -> Bool {
        ("\u{E0000}"..."\u{E007F}").contains(scalar)
    }

    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned, .privateUse: false
        // Zero-width joiner and non-joiner belong to emoji and to Persian and Indic spelling; the rest of the format
        // characters steer direction or hide.
        case .format: scalar == "\u{200C}" || scalar == "\u{200D}"
        default: true
        }
    }

    /// Whether a scalar alone shows something. Marks need a letter that carries them; the empty Braille pattern and the
    /// place of an embedded object show nothing.
    private static func isInk(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .spaceSeparator, .format, .nonspacingMark, .spacingMark, .enclosingMark: false
        default:
            !scalar.properties.isDefaultIgnorableCodePoint && scalar != "\u{2800}" && scalar != "\u{FFFC}"
        }
    }
}

/// Why a text is not a name.
package enum DisplayNameFault: Error, Equatable {
    /// Nothing in it can be seen.
    case empty
    case tooLong(Int, limit: Int)
    /// A control character, or one that steers the direction of text or hides.
    case invisibleCharacter
    /// A flag that is spelled with invisible tags.
    case regionalFlag

    /// For the `detail` of a validation error.
    package var rule: String {
        switch self {
        case .empty: "must have at least one character that can be seen"
        case .tooLong(let count, let limit):
            "must have at most \(limit) characters and has \(count), where an accent or each part of an emoji may count as one"
        case .invisibleCharacter:
            "must not have control characters, or invisible ones that steer the direction of text"
        case .regionalFlag:
            "must not have flags of regions such as Scotland's, because they are spelled with invisible characters"
        }
    }
}
