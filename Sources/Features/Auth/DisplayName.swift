import Foundation

/// A name that people see: of a person or a group. Trimmed, in NFC, 1 to 50 scalars, without control, bidi and other
/// invisible formatting characters.
package struct DisplayName: RawRepresentable, Hashable, Sendable {
    package static let maxScalars = 50
    /// For the `detail` of a validation error.
    package static let rule = "must have 1 to 50 characters and no control characters"

    package let rawValue: String

    package init?(rawValue: String) {
        self.init(rawValue, maxScalars: Self.maxScalars)
    }

    package init?(_ text: String) {
        self.init(text, maxScalars: Self.maxScalars)
    }

    init?(_ text: String, maxScalars: Int) {
        // Normalising is not free, and a name that is far too long need not be.
        guard text.unicodeScalars.count <= maxScalars * 8 else { return nil }
        let name = text.trimmingCharacters(in: .whitespacesAndNewlines).precomposedStringWithCanonicalMapping
        guard (1...maxScalars).contains(name.unicodeScalars.count),
            name.unicodeScalars.allSatisfy(Self.isVisible), name.unicodeScalars.contains(where: Self.isInk)
        else { return nil }
        rawValue = name
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

    private static func isInk(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .spaceSeparator, .format: false
        default: !scalar.properties.isDefaultIgnorableCodePoint
        }
    }
}
