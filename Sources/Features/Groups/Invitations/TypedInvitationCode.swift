import Foundation

/// A code as people type or paste it: in any case and width, with spaces and dashes, between quotes and brackets, as its link, or
/// within the message.
package enum TypedInvitationCode: Equatable {
    case code(InvitationCode)
    /// Six characters with a 0, O, 1 or I, which no code has.
    case misread
    /// Six characters, some of another alphabet. They may look like a code's, and are none of its characters.
    case foreign
    case none

    package init(_ text: String) {
        guard let plain = Self.plain(text) else {
            self = .none
            return
        }
        // In the message the code stands last, behind other people's words.
        let named = plain.matches(of: Self.named).last.map { $0.1.filter { $0 != " " && $0 != "-" } }
        let alone = plain.filter { $0.isLetter || $0.isNumber }
        if alone.count == InvitationCode.length {
            self.init(characters: alone)
        } else if let named {
            self.init(characters: named)
        } else {
            self.init(words: plain.split { !$0.isLetter && !$0.isNumber }.map(String.init))
        }
    }

    private init(characters: String) {
        if characters.allSatisfy(InvitationCode.alphabet.contains) {
            self = .code(InvitationCode(rawValue: characters))
        } else {
            self = characters.allSatisfy(\.isASCII) ? .misread : .foreign
        }
    }

    /// Words have six letters too, so a code in a sentence is told by its digits.
    private init(words: [String]) {
        let isCode = { (word: String) in
            word.count == InvitationCode.length && word.allSatisfy { $0.isASCII }
                && word.contains { $0.isNumber }
                && word.contains { $0.isLetter }
        }
        let codes = Set(words.filter(isCode))
        if codes.count == 1, let code = codes.first { self.init(characters: code) } else { self = .none }
    }

    /// Behind the path of a link, or behind the word that the message has in front.
    private static var named: Regex<(Substring, Substring)> {
        /(?:\/I\/|\/JOIN\/|CODE[ :=#]*)((?:[0-9A-Z][ \-]?){5}[0-9A-Z])(?![0-9A-Z])/
    }

    /// The text in capital letters, with plain spaces and dashes, without invisible characters. Nil for a control character.
    private static func plain(_ text: String) -> String? {
        var plain = String.UnicodeScalarView()
        for scalar in text.precomposedStringWithCompatibilityMapping.unicodeScalars {
            let properties = scalar.properties
            switch properties.generalCategory {
            case .dashPunctuation: plain.append("-")
            case _ where scalar == "\u{2212}": plain.append("-")
            case _ where properties.isWhitespace: plain.append(" ")
            case .control: return nil
            case _ where properties.isDefaultIgnorableCodePoint: continue
            case _ where ("a"..."z").contains(scalar): plain.append(Unicode.Scalar(UInt8(scalar.value) - 32))
            default: plain.append(scalar)
            }
        }
        return String(plain)
    }
}
