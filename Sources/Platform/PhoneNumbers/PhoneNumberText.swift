import Foundation

/// A number as contacts, links, keyboards and signatures spell it: behind a label, between invisible characters, in the digits
/// of any script, before an extension. The text needs one `+`, which begins the country code.
///
/// Messages go to the line, so an extension is dropped, and the answer shows the number without it. A text that could hold
/// two numbers, or letters that stand for digits, is none.
package enum PhoneNumberText {
    private static let maxBytes = 256
    private static let maxLabelScalars = 40
    private static let maxExtensionDigits = 7
    private static let markers: Set = [
        "x", "ext", "extn", "extension", "int", "anexo", "poste", "\u{434}\u{43E}\u{431}",
    ]
    private static let separators = Set(" ()[].-/~·\u{2022}\u{2215}\u{2044}\u{30FC}".unicodeScalars)
    private static let closings = Set(" )]>.,;\"'\u{BB}\u{2019}\u{201D}".unicodeScalars)

    /// Nil when the text holds no number, or more than one.
    package static func facts(_ text: String) -> PhoneNumberFacts? {
        guard text.utf8.count <= maxBytes, let plain = plain(text) else { return nil }
        let global = withContext(plain) ?? plain
        guard let plus = global.firstIndex(of: "+"), isLabel(global[..<plus]) else { return nil }
        return number(global[plus...].drop { $0 == "+" || $0 == " " }.unicodeScalars[...])
    }

    /// A local `tel:` link (RFC 3966) with the country code of its context in front.
    private static func withContext(_ link: String) -> String? {
        let parts = link.lowercased().components(separatedBy: ";phone-context=+")
        guard parts.count == 2, parts[0].hasPrefix("tel:"), !parts[0].contains("+") else { return nil }
        return "+" + parts[1].prefix { $0.isNumber } + parts[0].dropFirst(4)
    }

    /// The text with ASCII digits, plain spaces and dashes, and without the characters that nobody sees. Nil for a control
    /// character.
    private static func plain(_ text: String) -> String? {
        let decoded = text.contains("%") ? text.removingPercentEncoding : text
        guard let decoded else { return nil }
        var plain = String.UnicodeScalarView()
        for scalar in decoded.precomposedStringWithCompatibilityMapping.unicodeScalars {
            let properties = scalar.properties
            switch properties.generalCategory {
            case .decimalNumber:
                plain.append(contentsOf: String(Int(properties.numericValue ?? 0)).unicodeScalars)
            case .dashPunctuation: plain.append("-")
            case _ where scalar == "\u{2212}": plain.append("-")
            case _ where scalar == "\n" || scalar == "\r" || scalar == "\u{2028}": plain.append("\n")
            case _ where properties.isWhitespace: plain.append(" ")
            case .control: return nil
            case _ where properties.isDefaultIgnorableCodePoint || scalar == "\u{20E3}": continue
            default: plain.append(scalar)
            }
        }
        return String(plain).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Digits in front of the plus are another number, or a code that a phone carries out.
    private static func isLabel(_ text: Substring) -> Bool {
        text.unicodeScalars.count <= maxLabelScalars
            && !text.contains { $0.isNumber || $0 == "*" || $0 == "#" }
    }

    /// - Parameter text: all that stands behind the plus.
    private static func number(_ text: Substring.UnicodeScalarView) -> PhoneNumberFacts? {
        let end = text.firstIndex { !("0"..."9").contains($0) && !separators.contains($0) } ?? text.endIndex
        let rest = String(text[end...])
        let spelled = String(text[..<end].filter { $0 != " " })
        guard let cut = isCut(spelled, before: rest) else { return nil }
        // The trunk zero in brackets is left out, unless it belongs to the number, as in Italy.
        let bare = spelled.replacingOccurrences(of: "(0)", with: "")
        let withoutZero = bare == spelled ? nil : facts(spelled: bare)
        guard let facts = withoutZero?.isValid == true ? withoutZero : facts(spelled: spelled) else {
            return nil
        }
        return !cut || facts.isValid ? facts : nil
    }

    private static func facts(spelled: String) -> PhoneNumberFacts? {
        let digits = spelled.filter { ("0"..."9").contains($0) }
        // Forms put a plus, or a plus and a country code, before a number that begins with 00.
        let codes =
            [""]
            + (1...3).map { digits.prefix($0) }.filter { Int($0).map(PhoneCountries.hasCallingCode) ?? false }
        let repeated = codes.first { digits.hasPrefix($0 + "00" + $0) }
        return PhoneNumberFacts("+" + digits.dropFirst(repeated.map { $0.count + 2 } ?? 0))
    }

    /// Whether the rest is an extension, the parameters of a link or a label in brackets. Nil when it may be part of a number.
    private static func isCut(_ spelled: String, before rest: String) -> Bool? {
        if rest.unicodeScalars.allSatisfy(closings.contains) { return false }
        let isBracketed = spelled.hasSuffix("(") || spelled.hasSuffix("[")
        let isLabel = isBracketed && (rest.hasSuffix(")") || rest.hasSuffix("]")) && Self.isLabel(rest[...])
        return isLabel || isExtension(rest) || areParameters(rest) ? true : nil
    }

    /// `x12`, `ext. 12`, `#12`, a pause and digits.
    private static func isExtension(_ text: String) -> Bool {
        let pauses = text.prefix { ",;#".contains($0) }
        let marker = text.dropFirst(pauses.count).prefix { $0.isLetter }
        let digits = text.dropFirst(pauses.count + marker.count).drop { " .:=#".contains($0) }
        guard !pauses.isEmpty || !marker.isEmpty else { return false }
        return (marker.isEmpty || markers.contains(marker.lowercased()))
            && (1...maxExtensionDigits).contains(digits.count)
            && digits.allSatisfy { ("0"..."9").contains($0) }
    }

    /// `;isub=1;phone-context=example.com`, behind a `tel:` link.
    private static func areParameters(_ text: String) -> Bool {
        let parts = text.split(separator: ";", omittingEmptySubsequences: false)
        return parts.count > 1 && parts[0].isEmpty
            && parts.dropFirst().allSatisfy { part in
                let name = part.prefix { $0 != "=" }
                return !name.isEmpty && name.allSatisfy { $0.isASCII && ($0.isLetter || $0 == "-") }
            }
    }
}
